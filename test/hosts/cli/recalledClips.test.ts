import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { CliBench } from './runProcess.ts';

let simulator: Simulator;
let bench: CliBench;
beforeAll(async () => {
  simulator = await startSimulator({ clock: 'ticking' });
});
afterAll(() => simulator.stop());
beforeEach(() => {
  bench = new CliBench();
  vi.stubEnv('FLEET_DASHCAM_BASE_URL', simulator.baseUrl);
  vi.stubEnv('FLEET_DASHCAM_API_KEY', simulator.keys.enterprise);
});
afterEach(() => {
  bench.remove();
  vi.unstubAllEnvs();
});

describe('a recalled clip on the command line', () => {
  it('is found by its time at once, though no window ever looked into it', async () => {
    const { psn, frontFilename, impactAt } = simulator.story.collision;
    const impactMs = Date.parse(impactAt);
    expect((await bench.run('recall', psn, frontFilename, '--yes', '--json')).code).toBe(0);
    const around = [
      '--from',
      new Date(impactMs).toISOString(),
      '--to',
      new Date(impactMs + 1000).toISOString(),
    ];
    const { clips } = (await bench.run('clips', ...around, '--json')).json<{
      clips: { filename: string; typeCode: string; startUtc: string; durationS: number }[];
    }>();
    expect(clips).toMatchObject([{ filename: frontFilename, psn, typeCode: 'E', directionCode: 'F' }]);
    // Ten seconds before the impact, to within the whole seconds of the clip's name.
    expect(Math.abs(Date.parse(clips[0]!.startUtc) - (impactMs - 10_000))).toBeLessThanOrEqual(1000);
    expect(clips[0]!.durationS).toBeGreaterThan(60);
  });
});
