import { describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { scenarios } from './scenarios.ts';
import { setUp } from './testing.ts';

describe('the virtual clock', () => {
  it('runs due tasks in the order of their time, at their time, also those that tasks schedule', async () => {
    const clock = createClock(1000, false);
    const seen: [string, number][] = [];
    clock.schedule(3000, () => {
      seen.push(['late', clock.now()]);
    });
    clock.schedule(2000, () => {
      seen.push(['early', clock.now()]);
      clock.schedule(2500, () => {
        seen.push(['between', clock.now()]);
      });
    });
    clock.schedule(9000, () => {
      seen.push(['never', clock.now()]);
    });
    await clock.advance(4000);
    expect(seen).toEqual([
      ['early', 2000],
      ['between', 2500],
      ['late', 3000],
    ]);
    expect(clock.now()).toBe(5000);
  });

  it('waits for a task that takes real time before it moves on', async () => {
    const clock = createClock(0, false);
    const seen: string[] = [];
    clock.schedule(1, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push('first');
    });
    clock.schedule(2, () => {
      seen.push('second');
    });
    await clock.advance(10);
    expect(seen).toEqual(['first', 'second']);
  });

  it('forgets a cancelled task and runs nothing when it steps back', async () => {
    const clock = createClock(5000, false);
    let runs = 0;
    const cancel = clock.schedule(6000, () => {
      runs += 1;
    });
    cancel();
    clock.schedule(4000, () => {
      runs += 1;
    });
    await clock.advance(-3000);
    expect([clock.now(), runs]).toEqual([2000, 0]);
    await clock.advance(2000);
    expect(runs).toBe(1);
  });

  it('ticks with real time when it is told to, and still jumps', async () => {
    const clock = createClock(0, true);
    // The clock alone does not keep a process alive, so something else has to while the test waits.
    const alive = setInterval(() => undefined, 1000);
    const ran = new Promise<number>((resolve) => {
      clock.schedule(5, () => resolve(clock.now()));
    });
    expect(await ran).toBeGreaterThanOrEqual(5);
    await clock.advance(1_000_000);
    expect(clock.now()).toBeGreaterThanOrEqual(1_000_000);
    clock.stop();
    clearInterval(alive);
  });
});

describe('scenarios', () => {
  it.each(Object.keys(scenarios))('%s starts and answers', async (scenario) => {
    const { simulator, enterprise } = await setUp({ scenario });
    let answer = await enterprise.get('/v1/devices');
    for (let attempt = 0; attempt < 10 && answer.status >= 500; attempt += 1)
      answer = await enterprise.get('/v1/devices');
    expect(answer.status).toBe(200);
    expect(simulator.control.counters()).toHaveProperty('requests');
  });

  it('refuses a scenario it does not know', async () => {
    await expect(setUp({ scenario: 'nope' })).rejects.toThrow('no scenario "nope"');
  });
});
