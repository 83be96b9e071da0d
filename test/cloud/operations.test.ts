import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations, toPath, type OperationName } from '../../main/cloud/operations.ts';
import { CloudProblem } from '../../main/cloud/problem.ts';
import { explainProblem, type CloudProblemCode } from '../../shared/cloudProblem.ts';
import { apiRequests, withCloud, type Cloud } from './aCloud.ts';
import { operationCases, type OperationCase, type Refusal } from './operationCases.ts';

const names = Object.keys(operations) as OperationName[];
const callOptions = { deadlineMs: 20_000 };

async function inputOf(cloud: Cloud, input: OperationCase['input']) {
  return typeof input === 'function' ? input(cloud) : input;
}
async function refusalOf(work: Promise<unknown>): Promise<CloudProblem> {
  const thrown: unknown = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (thrown instanceof CloudProblem) return thrown;
  throw thrown;
}

describe('the list of operations', () => {
  it('has a case for every operation, and every operation has its route', () => {
    expect(Object.keys(operationCases).sort()).toEqual([...names].sort());
    expect(names).toHaveLength(50);
    const routes = names.map((name) => `${operations[name].method} ${operations[name].path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('is the list of the simulated service, which was written from the specification alone', () => {
    const source = readFileSync(path.join(import.meta.dirname, '../simulator/conformance.test.ts'), 'utf8');
    const routes = [...source.matchAll(/'((?:GET|POST|PUT|DELETE) \/v1\/[^']*)'/g)].map((match) => match[1]);
    expect(names.map((name) => `${operations[name].method} ${operations[name].path}`).sort()).toEqual(
      routes.sort(),
    );
  });

  it('escapes path parameters and never lets one lead elsewhere', () => {
    expect(
      toPath('sdFiles.metadata', { psn: 'A/B', filename: 'x y?.mp4', include: ['gps', 'thumbnail'] }),
    ).toBe('/v1/devices/A%2FB/sd-files/x%20y%3F.mp4/metadata?include=gps%2Cthumbnail');
    for (const psn of ['', '.', '..', undefined, {}, null])
      expect(() => toPath('devices.get', { psn })).toThrow(RangeError);
  });
});

describe.each(names)('%s', (name) => {
  const one = operationCases[name];

  it('answers as the specification says', () =>
    withCloud(
      async (cloud) => {
        await one.before?.(cloud);
        const input = await inputOf(cloud, one.input);
        const answer = await cloud.client(one.key).call(name, input, callOptions);
        const sent = apiRequests(cloud.simulator).at(-1);
        expect(sent).toMatchObject({ method: operations[name].method, route: operations[name].path });
        expect(answer.requestId).toBe(sent?.requestId);
        await one.shows(answer.body, cloud);
      },
      { areLoopbackWebhooksAllowed: true },
    ));

  it.each(
    one.refusals.map((refusal): [string, Refusal] => [
      `${refusal.code} for ${typeof refusal.input === 'function' ? 'what was made for it' : JSON.stringify(refusal.input)}`,
      refusal,
    ]),
  )('passes on %s', (_, refusal) =>
    withCloud(async (cloud) => {
      await refusal.before?.(cloud);
      const client = refusal.keyOrder
        ? cloud.clientWith(
            cloud.simulator.control.createKey({
              organisation: 'enterprise',
              label: 'own',
              ...refusal.keyOrder,
            }),
          )
        : cloud.client(refusal.key);
      const problem = await refusalOf(client.call(name, await inputOf(cloud, refusal.input), callOptions));
      expect(problem).toMatchObject({ code: refusal.code, status: refusal.status, operation: name });
      expect(problem.extensions).toMatchObject(refusal.extensions ?? {});
      expect(problem.requestId).toBe(apiRequests(cloud.simulator).at(-1)?.requestId);
      const { what, todo } = explainProblem(problem);
      expect(what.length).toBeGreaterThan(10);
      expect(todo.length).toBeGreaterThan(5);
    }),
  );

  /** Codes that any operation may be given (7), and how often each may be sent. */
  const isReadOnly = operations[name].hasSideEffects !== true;
  const shared: readonly [CloudProblemCode, number, number][] = [
    ['subscription_inactive', 403, 1],
    ['quota_exceeded', 429, 1],
    ['monthly_limit_exceeded', 429, 1],
    ['query_timeout', 504, 1],
    ['media_recall_not_configured', 501, 1],
    ['internal_error', 500, isReadOnly ? 4 : 1],
    ['upstream_unavailable', 503, isReadOnly ? 4 : 1],
  ];
  it('repeats what may be repeated, and nothing that is a hard stop or might have been done', () =>
    withCloud(async (cloud) => {
      const { control } = cloud.simulator;
      // Names nothing that exists: a fault that is injected answers before anything is looked up.
      const input = {
        psn: 'P',
        filename: 'F',
        jobId: 'J',
        webhookId: 'W',
        eventId: 'E',
        tripId: 'T',
        geofenceId: 'G',
      };
      for (const [code, status, times] of shared) {
        control.clearFaults();
        control.clearLog();
        control.addFault({ effect: { kind: 'problem', code, status, retryAfterSeconds: 2 } });
        const problem = await refusalOf(cloud.client().call(name, { ...input, body: {} }, callOptions));
        expect(problem.code).toBe(code);
        expect({ code, times: apiRequests(cloud.simulator).length }).toEqual({ code, times });
      }
      control.clearFaults();
      control.clearLog();
      const stranger = cloud.clientWith('fdc_live_0000000000000000000000000000000000000000');
      expect((await refusalOf(stranger.call(name, { ...input, body: {} }))).code).toBe('unauthorized');
      expect(apiRequests(cloud.simulator)).toHaveLength(1);
      const bare = control.createKey({ organisation: 'enterprise', label: 'bare', scopes: [] });
      const refused = await refusalOf(cloud.clientWith(bare).call(name, { ...input, body: {} }));
      expect(refused.code).toBe('insufficient_scope');
      const scope = operations[name].scope;
      if (scope !== null) expect(refused.extensions.requiredScope).toBe(scope);
    }));

  const { pages } = one;
  if (operations[name].pagination === null) {
    it('has no pages', () => expect(pages).toBeUndefined());
    return;
  }
  it('gives every row once, whatever the page size, over empty pages too', () =>
    withCloud(
      async (cloud) => {
        if (!pages) throw new Error(`${name} has pages and no case for them`);
        await pages.before?.(cloud);
        const input = await inputOf(cloud, pages.input);
        const walk = async (more: Record<string, unknown>) => {
          const rows: unknown[] = [];
          let count = 0;
          for await (const page of cloud.client().pages(name, { ...input, ...more }, callOptions)) {
            rows.push(...page.rows);
            count++;
          }
          return { rows: rows.map(withoutLinks), count };
        };
        const isCursor = operations[name].pagination === 'cursor';
        // Rows that the calls of a walk make themselves are not what is compared (the API log).
        const whole = await walk({});
        const small = await walk(isCursor ? { limit: pages.size } : { perPage: pages.size });
        expect(whole.rows.length).toBeGreaterThan(pages.size);
        expect(small.count).toBeGreaterThan(1);
        expect(small.rows).toEqual(whole.rows);
        cloud.simulator.control.setModes({ isEmptyPages: true });
        const holed = await walk(isCursor ? { limit: pages.size } : { perPage: pages.size });
        expect(holed.rows).toEqual(whole.rows);
        if (isCursor) expect(holed.count).toBeGreaterThan(small.count);
      },
      { areLoopbackWebhooksAllowed: true },
    ));
});

/** Links are signed anew whenever they are shown. */
function withoutLinks(row: unknown): unknown {
  const { downloadUrl, thumbnailUrl, ...rest } = row as Record<string, unknown>;
  return { ...rest, hasLink: Boolean(downloadUrl ?? thumbnailUrl) };
}
