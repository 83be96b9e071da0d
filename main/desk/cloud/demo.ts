import { Worker } from 'node:worker_threads';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DeskDeps } from '../deps.ts';
import type { AccountStore } from './accountStore.ts';

/** Where the simulated service runs and how to speak to it. */
export interface DemoService {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface DemoFleet {
  readonly handlers: Pick<Handlers, 'demo.start' | 'demo.stop'>;
  /** Starts the simulated fleet on loopback if it does not run yet. */
  service(): Promise<DemoService>;
  close(): Promise<void>;
}

/** The demo account's stored address: the real one changes with every start. */
export const demoBaseUrl = 'http://127.0.0.1';

/**
 * The built-in simulated fleet: the whole service in a worker thread of this app, on a loopback port, so that a new
 * user sees everything work with no account. `simulator` is the worker's code; null where this copy has none.
 */
export function createDemo(
  deps: DeskDeps,
  parts: {
    readonly accounts: AccountStore;
    readonly simulator: URL | null;
    readonly forget: (account: CloudAccount) => void;
    readonly onActivated: () => void;
  },
): DemoFleet {
  const { accounts, simulator, forget, onActivated } = parts;
  let running: { readonly worker: Worker; readonly service: Promise<DemoService> } | null = null;

  async function service(): Promise<DemoService> {
    if (running) return running.service;
    if (simulator === null) {
      throw new AppError('ability_missing', 'This copy of Evidence Desk comes without the demo fleet.');
    }
    const worker = new Worker(simulator, { workerData: { seed: 7 } });
    const started = new Promise<DemoService>((resolve, reject) => {
      worker.once('message', (message: { baseUrl: string; keys: { enterprise: string } }) => {
        // From here on the fleet must not keep a finished command from ending.
        worker.unref();
        resolve({ baseUrl: message.baseUrl, apiKey: message.keys.enterprise });
      });
      worker.once('error', reject);
      worker.once('exit', (code) => {
        // Gone, whether asked to or not: the next call starts it anew.
        if (running?.worker === worker) running = null;
        reject(new Error(`the demo fleet ended with code ${code}`));
      });
    });
    running = { worker, service: started };
    started.catch(() => {
      running = null;
    });
    return started;
  }

  async function stop(): Promise<void> {
    const worker = running?.worker;
    running = null;
    await worker?.terminate();
  }

  const demoAccount = (): CloudAccount | undefined => accounts.list().find((account) => account.isDemo);

  return {
    service,
    close: stop,
    handlers: {
      async 'demo.start'() {
        const { apiKey } = await service();
        const known = demoAccount();
        const account = known
          ? accounts.activate(known.accountId)
          : await accounts.add({
              label: 'Demo fleet',
              baseUrl: demoBaseUrl,
              apiKey,
              tier: 'enterprise',
              isDemo: true,
            });
        deps.emit('accounts.changed', { accountId: account.accountId });
        onActivated();
        return account;
      },
      async 'demo.stop'() {
        const account = demoAccount();
        if (account) {
          accounts.remove(account.accountId);
          forget(account);
          deps.emit('accounts.changed', { accountId: null });
        }
        await stop();
        return null;
      },
    },
  };
}
