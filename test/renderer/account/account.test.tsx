// @vitest-environment jsdom
import '../browserShims.ts';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AccountScreen,
  createAccountStore,
  createExportStore,
  createUsageStore,
  DemoBadge,
  type AccountTab,
} from '../../../renderer/features/account/index.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId, SourceId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, happen, pageText, render, settle, type, unmountAll } from '../render.tsx';
import {
  account,
  accountId,
  cameras,
  connection,
  devices,
  noonMs,
  order,
  problem,
  usage,
  usageReport,
} from './samples.ts';

afterEach(unmountAll);

const listing = (orders: readonly ReturnType<typeof order>[] = []) => ({
  orders,
  fetchedAtMs: Date.now(),
  problem: null,
});
const cloudError = (patch: Parameters<typeof problem>[0], message: string) =>
  new AppError('cloud_problem', message, { details: { problem: problem(patch) } });

async function open(tab: AccountTab, handlers: Partial<Handlers> = {}) {
  const host = createFakeHost({
    'accounts.list': () => [account()],
    'exports.list': () => listing(),
    'cloudDevices.list': () => devices(cameras),
    'usage.read': () => usageReport(),
    ...handlers,
  });
  const accounts = createAccountStore(host);
  const exports = createExportStore(host, accounts);
  const usageStore = createUsageStore(host, accounts);
  const opened: SourceId[] = [];
  const demo = { isStarting: false, start: () => void accounts.startDemo() };
  function Screen() {
    const [shown, show] = useState<AccountTab>(tab);
    return (
      <>
        <DemoBadge store={accounts} href="#/account/accounts" />
        <AccountScreen
          accounts={accounts}
          exports={exports}
          usage={usageStore}
          tab={shown}
          onTab={show}
          demo={demo}
          onOpenReport={(sourceId) => opened.push(sourceId)}
        />
      </>
    );
  }
  await render(<Screen />, { host });
  await settle(20);
  const asked = (name: string) => host.asked.filter((one) => one.name === name);
  return { host, asked, opened };
}

describe('accounts', () => {
  it('say what they are for when there is none, and offer the demo fleet', async () => {
    let list: CloudAccount[] = [];
    const demoAccount = account({ isDemo: true, label: 'Demo fleet' });
    const { asked } = await open('accounts', {
      'accounts.list': () => list,
      'demo.start': () => {
        list = [demoAccount];
        return demoAccount;
      },
    });
    expect(pageText()).toContain('No account yet');
    expect(pageText()).not.toContain('Demo fleet');
    await click(button('Try the demo fleet'));
    expect(asked('demo.start')).toHaveLength(1);
    expect(button(/^Demo: the active account/).getAttribute('href')).toBe('#/account/accounts');
  });

  it('are tried before they can be saved, and the key is gone afterwards', async () => {
    let list: CloudAccount[] = [];
    const { asked } = await open('accounts', {
      'accounts.list': () => list,
      'accounts.test': ({ apiKey }) =>
        apiKey === 'right-key-123'
          ? connection({ clockSkewMs: 180_000 })
          : connection({ isWorking: false, problem: problem() }),
      'accounts.add': ({ label, baseUrl }) => {
        const added = account({ label, baseUrl });
        list = [added];
        return added;
      },
    });
    await click(button('Add account…'));
    await type(field('Base address'), 'https://api.fleet.example');
    await type(field('API key'), 'wrong-key-123');
    await click(button('Test connection'));
    expect(pageText()).toContain('The service does not know this API key.');
    expect(() => button('Save account')).toThrow();

    await type(field('API key'), 'right-key-123');
    expect(pageText()).not.toContain('does not know');
    await click(button('Test connection'));
    expect(pageText()).toContain('Connection works');
    expect(pageText()).toContain('1 permission missing');
    expect(pageText()).toContain('usage, budget and the API log');
    expect(pageText()).toContain('clock is 3 min ahead of the service’s');
    expect(pageText()).toContain('17 cameras registered of 16 seats; 1 over the limit');
    expect(pageText()).toContain('the service does not say whether the key is live or sandbox');
    await click(button('Save account'));
    expect(asked('accounts.add')[0]?.input).toMatchObject({
      label: 'api.fleet.example',
      apiKey: 'right-key-123',
    });
    expect(document.documentElement.outerHTML).not.toContain('-key-123');
    expect([...document.querySelectorAll('input')].map((input) => input.value)).not.toContain(
      'right-key-123',
    );
  });

  it('asks for a new try when address or key change after one', async () => {
    await open('accounts', { 'accounts.list': () => [], 'accounts.test': () => connection() });
    await click(button('Add account…'));
    await type(field('Base address'), 'https://a.example');
    await type(field('API key'), 'k');
    await click(button('Test connection'));
    expect(button('Save account')).toBeTruthy();
    await type(field('Base address'), 'https://b.example');
    expect(() => button('Save account')).toThrow();
  });

  it('are renamed, activated, and removed only after being asked', async () => {
    const other = account({ accountId: 'acc_2' as AccountId, label: 'Other', isActive: false });
    const { asked } = await open('accounts', {
      'accounts.list': () => [account(), other],
      'accounts.activate': () => other,
      'accounts.rename': () => account(),
      'accounts.remove': () => null,
    });
    await click(button('Use this account'));
    expect(asked('accounts.activate')[0]?.input).toEqual({ accountId: 'acc_2' });
    await click(button('Remove Other'));
    expect(asked('accounts.remove')).toHaveLength(0);
    expect(pageText()).toContain('What was imported stays in the library');
    await click(button('Remove account'));
    expect(asked('accounts.remove')[0]?.input).toEqual({ accountId: 'acc_2' });
  });

  it('of the environment are used whatever is chosen, and say so', async () => {
    await open('accounts', {
      'accounts.list': () => [
        account({ isFromEnvironment: true }),
        account({ accountId: 'acc_2' as AccountId, isActive: false, label: 'Mine' }),
      ],
    });
    expect(pageText()).toContain('FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY are set');
    expect(() => button('Use this account')).toThrow();
    expect(() => button('Try the demo fleet')).toThrow();
  });
});

describe('GPS exports', () => {
  it('cost one job of what is left, and leave Wi-Fi-only cameras out with the reason', async () => {
    const { asked } = await open('exports', { 'exports.order': () => order({ status: 'queued' }) });
    expect(pageText()).toContain('All cloud cameras (2)');
    expect(pageText()).toContain('Left out: 1 Wi-Fi-only camera (Trailer 61)');
    expect(pageText()).toContain('3 of 800 jobs used this month; 796 left after this.');
    await click(button('Order export'));
    const input = asked('exports.order')[0]?.input as Record<string, unknown>;
    expect(input).toMatchObject({ format: 'csv', shouldImport: true });
    expect(input).not.toHaveProperty('psns');
    expect(input).not.toHaveProperty('packaging');
    expect(asked('usage.read').at(-1)?.input).toEqual({ isFresh: true });
    expect((button('Order export') as HTMLButtonElement).disabled).toBe(true);
    expect(pageText()).toContain('The organization can run one export at a time');
  });

  it('let cameras be chosen, but not Wi-Fi-only ones', async () => {
    const { asked } = await open('exports', { 'exports.order': () => order() });
    await click(radio('Choose…'));
    expect((button('Order export') as HTMLButtonElement).disabled).toBe(true);
    expect(checkbox('Trailer 61').disabled).toBe(true);
    expect(pageText()).toContain('over the limit, GPS export works');
    await click(checkbox('Van 7'));
    await click(button('Order export'));
    expect(asked('exports.order')[0]?.input).toMatchObject({ psns: ['P7'] });
  });

  it('explain both refusals of a second job with the job in the way', async () => {
    const theirs = order({ jobId: 'gpsexp_9', status: 'running' }, { isOurs: false });
    let isKnown = false;
    await open('exports', {
      'exports.list': ({ isFresh }) => {
        isKnown ||= isFresh === true;
        return listing(isKnown ? [theirs] : []);
      },
      'exports.order': () => {
        throw cloudError(
          { code: 'concurrency_limit_exceeded', status: 409, extensions: { limit: 1, active: 1 } },
          '1 of 1 exports of the plan are running.',
        );
      },
    });
    expect(pageText()).toContain('No exports yet');
    await click(button('Order export'));
    await settle(20);
    expect(pageText()).toContain('1 of 1 exports of the plan are running.');
    expect(pageText()).toContain('No order was placed, and nothing was counted.');
    expect(pageText()).toContain('Export gpsexp_9 is running.');
    expect(pageText()).toMatch(/ordered .* elsewhere/);
  });

  it('do not claim that nothing was ordered when the answer was lost', async () => {
    await open('exports', {
      'exports.order': () => {
        throw cloudError({ code: 'connection_lost', status: 0 }, 'The connection broke off.');
      },
    });
    await click(button('Order export'));
    expect(pageText()).toContain('It is not known whether the order was taken');
  });

  it('follow the core: progress, partial, import and the way to its report', async () => {
    const { host, opened } = await open('exports', { 'exports.list': () => listing([order()]) });
    expect(pageText()).toContain('2026-03-08 to 2026-03-14 (UTC days)');
    expect(pageText()).toContain('42 %');
    await happen(() =>
      host.emit(
        'exports.changed',
        order(
          { status: 'completed', progress: 100, partial: true },
          { delivery: { status: 'imported', sourceId: 'src_1' as SourceId, sha256: 'aa' } },
        ),
      ),
    );
    expect(pageText()).toContain('Partial: not every camera is in it');
    await click(button('Import report'));
    expect(opened).toEqual(['src_1']);
    // Another account's news do not belong here.
    await happen(() =>
      host.emit('exports.changed', order({ jobId: 'gpsexp_x' }, { accountId: 'acc_9' as AccountId })),
    );
    expect(pageText()).not.toContain('gpsexp_x');
  });

  it('are canceled only after being asked, downloaded on demand, and say why a download failed', async () => {
    const failed = order(
      { jobId: 'gpsexp_2', status: 'completed' },
      { delivery: { status: 'failed', message: 'The archive is damaged.' } },
    );
    const { asked } = await open('exports', {
      'exports.list': () => listing([order(), failed]),
      'exports.cancel': () => order({ status: 'canceled' }),
      'exports.fetch': () => {
        throw new AppError('busy', 'The export is running, not completed.');
      },
    });
    await click(button('Cancel…'));
    expect(asked('exports.cancel')).toHaveLength(0);
    await click(button('Cancel export'));
    expect(asked('exports.cancel')[0]?.input).toEqual({ jobId: 'gpsexp_1' });
    expect(pageText()).toContain('Canceled');
    expect(pageText()).toContain('The archive is damaged.');
    await click(button('Try again'));
    expect(asked('exports.fetch')[0]?.input).toEqual({ jobId: 'gpsexp_2' });
    expect(pageText()).toContain('The export was not downloaded');
  });

  it('keep what was known when the service is out of reach, with its age and the reason', async () => {
    await open('exports', {
      'exports.list': () => ({
        orders: [order()],
        fetchedAtMs: noonMs,
        problem: problem({ code: 'address_unreachable', status: 0, detail: 'ENOTFOUND' }),
      }),
    });
    expect(pageText()).toContain("The service can't be reached: ENOTFOUND.");
    expect(pageText()).toContain('What is listed is what this computer knew before.');
    expect(pageText()).toMatch(/as of 14 Mar 2026, 12:00 UTC \(\d+ d ago\)/);
    expect(pageText()).toContain('gpsexp_1');
  });

  it('say why the price is not known', async () => {
    await open('exports', {
      'usage.read': () => {
        throw cloudError(
          { code: 'insufficient_scope', status: 403, extensions: { requiredScope: 'usage:read' } },
          'The API key lacks the permission "usage:read".',
        );
      },
    });
    expect(pageText()).toContain('How many are left is not known: the key lacks the permission usage:read.');
  });
});

describe('usage', () => {
  it('shows the three buckets with words, gaps apart from zeros, and who spent what', async () => {
    await open('usage');
    expect(pageText()).toContain('130.0 GB of 160.0 GB used (81 %)');
    expect(pageText()).toContain('Nearly used up');
    expect(pageText()).toContain('3 of 800 used (< 1 %)');
    expect(pageText()).toContain('1 of 1 in use');
    const kinds = [...document.querySelectorAll('[role="img"] [data-kind]')].map((slot) =>
      slot.getAttribute('data-kind'),
    );
    expect(kinds).toEqual(['calls', 'zero', 'absent', 'calls']);
    expect(pageText()).toContain('average answer time not known for every day');
    await click(button('Show as table'));
    expect(pageText()).toContain('2026-03-12no figuresnot known');
    expect(pageText()).toContain('98.3 %');
    expect(pageText()).toContain('Van 7 P7');
    expect(pageText()).toContain('gpsExports.create gpsexp_1');
  });

  it('says what is not known instead of a zero', async () => {
    await open('usage', {
      'usage.read': () =>
        usageReport({
          usage: usage({
            callHistory: null,
            statusBreakdown: { total: 0, classes: [{ statusClass: '2xx', count: 0, ratio: null }] },
          }),
          cameras: { limit: null, registered: 17, overLimit: 0 },
        }),
    });
    expect(pageText()).toContain('That is not the same as no calls.');
    expect(pageText()).toContain('not known: nothing is locked meanwhile');
    expect(pageText()).toContain('0not known');
  });

  it('explains a key without usage:read', async () => {
    await open('usage', {
      'usage.read': () => {
        throw cloudError(
          { code: 'insufficient_scope', status: 403 },
          'The API key lacks the permission "usage:read".',
        );
      },
    });
    expect(pageText()).toContain('The API key lacks the permission "usage:read".');
    expect(pageText()).toContain('Without usage:read the app can’t show what is left of the month');
  });

  it('keeps the figures with their age when they can’t be refreshed', async () => {
    let isDown = false;
    await open('usage', {
      'usage.read': ({ isFresh }) => {
        if (isFresh && isDown)
          throw cloudError({ code: 'upstream_unavailable', status: 503 }, 'Out of reach.');
        return usageReport();
      },
    });
    isDown = true;
    await click(button('Refresh'));
    expect(pageText()).toContain('Out of reach.');
    expect(pageText()).toContain('What is shown is what was fetched before.');
    expect(pageText()).toContain('3 of 800 used');
  });

  it('is read anew for another account, and shows nothing of the one before', async () => {
    let list = [account(), account({ accountId: 'acc_2' as AccountId, isActive: false, label: 'Other' })];
    let answer = () => {};
    const { host } = await open('usage', {
      'accounts.list': () => list,
      'usage.read': () =>
        list[0]?.isActive
          ? usageReport()
          : new Promise((resolve) => {
              answer = () => resolve(usageReport({ usage: usage({ tier: 'free' }) }));
            }),
    });
    expect(pageText()).toContain('Tier: pro');
    list = list.map((one) => ({ ...one, isActive: !one.isActive }));
    await happen(() => host.emit('accounts.changed', { accountId }));
    expect(pageText()).toContain('Reading the usage');
    expect(pageText()).not.toContain('Tier: pro');
    await happen(answer);
    expect(pageText()).toContain('Tier: free');
  });

  it('needs an account, and says where to get one', async () => {
    await open('usage', { 'accounts.list': () => [] });
    expect(pageText()).toContain('No account is active');
    await click(button('Go to Accounts'));
    expect(pageText()).toContain('No account yet');
  });
});

/** The part of a segmented control with this label. */
function radio(label: string): HTMLInputElement {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="radio"]')) {
    if (input.labels?.[0]?.textContent === label) return input;
  }
  throw new Error(`No choice is called ${label}`);
}

function checkbox(label: string): HTMLInputElement {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) {
    if (input.labels?.[0]?.textContent?.startsWith(label)) return input;
  }
  throw new Error(`No checkbox is called ${label}`);
}
