import { describe, expect, it } from 'vitest';
import { operations, type OperationName } from '../../main/cloud/operations.ts';
import { withCloud } from './aCloud.ts';
import { operationCases } from './operationCases.ts';

const names = Object.keys(operations) as OperationName[];
const deadline = { deadlineMs: 60_000 };

/** Section 9: what may be added or left out without a new version. */
describe.each(['isAdditive', 'isMinimal'] as const)('a service that is %s', (mode) => {
  it.each(names)('%s works', (name) =>
    withCloud(
      async (cloud) => {
        const { control } = cloud.simulator;
        const { before, input, pages, key } = operationCases[name];
        await before?.(cloud);
        const given = typeof input === 'function' ? await input(cloud) : input;
        control.setModes({ [mode]: true });
        const { status, body } = await cloud.client(key).call(name, given, deadline);
        expect(status).toBeLessThan(300);
        if (mode === 'isAdditive' && body !== null) expect(JSON.stringify(body)).toContain('addedLater');
        if (!pages) return;
        control.setModes({ [mode]: false });
        await control.advance(60_000); // an export that was ordered above is finished then
        await pages.before?.(cloud);
        const list = typeof pages.input === 'function' ? await pages.input(cloud) : pages.input;
        const count = async (more: Record<string, unknown>): Promise<number> => {
          let rows = 0;
          for await (const page of cloud.client().pages(name, { ...list, ...more }, deadline))
            rows += page.rows.length;
          return rows;
        };
        const whole = await count({});
        control.setModes({ [mode]: true });
        const size =
          operations[name].pagination === 'cursor' ? { limit: pages.size } : { perPage: pages.size };
        // Reading the API log is itself logged.
        if (name === 'apiLogs.list') expect(await count(size)).toBeGreaterThanOrEqual(whole);
        else expect(await count(size)).toBe(whole);
      },
      { areLoopbackWebhooksAllowed: true },
    ),
  );

  it('a busy camera without Retry-After is waited for 5 s at a time', () =>
    withCloud(async (cloud) => {
      const { control, story } = cloud.simulator;
      control.setModes({ [mode]: true });
      control.setDevice({ psn: story.ordinaryPsn, busyForSeconds: 9 });
      const waits: number[] = [];
      await cloud
        .client()
        .call(
          'sdFiles.list',
          { psn: story.ordinaryPsn },
          { ...deadline, onWait: ({ waitMs }) => waits.push(waitMs) },
        );
      expect(waits).toEqual([5000, 5000]);
    }));
});
