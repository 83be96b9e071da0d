// Loaded with --import where GNU time is missing: leaves the process's peak memory where measure.ts looks.
import fs from 'node:fs';

process.on('exit', () => {
  if (process.env.BENCH_USAGE_FILE) {
    fs.writeFileSync(process.env.BENCH_USAGE_FILE, `maxRSS ${process.resourceUsage().maxRSS}`);
  }
});
