/** A process of its own for the tests of locks and kills: opens a data folder, says so, and waits to be killed. */
import { openCache } from '../../main/cache/openCache.ts';
import { migrations } from '../../main/cache/migrations/index.ts';
import { AppError } from '../../shared/errors.ts';

const [folder, mode] = process.argv.slice(2) as [string, string | undefined];

/** Ends only when the process is killed; inside a transaction, so that nothing after it happens. */
function standStill(): never {
  process.send!('here');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

if (mode === 'as-nobody') {
  process.setgid!(65534);
  process.setuid!(65534);
  try {
    openCache({ folder }).close();
    process.send!({ code: 'it opened' });
  } catch (thrown) {
    process.send!(thrown instanceof AppError ? thrown.toData() : { code: String(thrown) });
  }
  process.disconnect();
} else if (mode === 'stop-in-migration' || mode === 'stop-in-first-migration') {
  const long = `CREATE TABLE novelty (a INTEGER) STRICT;
    INSERT INTO novelty WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n;`;
  const steps = mode === 'stop-in-migration' ? [...migrations, long] : [...migrations];
  // The version of the last step is written in the middle of its transaction: stop there.
  const last = steps.length - 1;
  const stopping = new Proxy(steps, {
    get(target, key) {
      if (key === String(last)) return `${target[last]!} SELECT raise_now();`;
      return Reflect.get(target, key) as unknown;
    },
  });
  const { default: Database } = await import('better-sqlite3');
  const exec = Database.prototype.exec;
  Database.prototype.exec = function (sql: string) {
    if (!sql.endsWith(' SELECT raise_now();')) return exec.call(this, sql);
    exec.call(this, sql.replace(' SELECT raise_now();', ''));
    return standStill();
  };
  openCache({ folder, migrations: stopping });
} else {
  openCache({ folder });
  standStill();
}
