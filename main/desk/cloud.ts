import type { cardRequests } from '../../shared/contract/cards.ts';
import type { cloudRequests } from '../../shared/contract/cloud.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import type { recallRequests } from '../../shared/contract/recalls.ts';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import { createCloudRepository } from '../cache/cloudRepository.ts';
import type { OperationInput, OperationName } from '../cloud/operations.ts';
import type { Timing } from '../cloud/rateGate.ts';
import type { CallOptions, CloudAnswer } from '../cloud/transport.ts';
import { createAccountHandlers } from './cloud/accounts.ts';
import { createAccountStore } from './cloud/accountStore.ts';
import { withCloudErrors } from './cloud/cloudError.ts';
import { collectPages } from './cloud/direct.ts';
import { createConnections } from './cloud/connections.ts';
import { createDemo } from './cloud/demo.ts';
import { createExportUseCases, type ExportUseCases } from './cloud/exports.ts';
import { simulatorUrl } from './cloud/simulatorUrl.ts';
import { createMediaUseCases, type ArrivalLibrary, type MediaUseCases } from './cloud/media.ts';
import { createUsageHandlers } from './cloud/usage.ts';
import type { DeskDeps, JobContext } from './deps.ts';

/** Every request that is about the service: shared/contract/cloud.ts, cards.ts and recalls.ts. */
export type CloudHandlers = Pick<
  Handlers,
  keyof typeof cloudRequests | keyof typeof cardRequests | keyof typeof recallRequests
>;

export interface CloudUseCases {
  readonly handlers: CloudHandlers;
  readonly exports: ExportUseCases;
  /** Cards and recalls beyond the contract, for hosts. */
  readonly media: MediaUseCases;
  /** Host-only: any operation of the service by name, with the active account. Rejects with CloudProblem. */
  call(name: OperationName, input: OperationInput, options?: CallOptions): Promise<CloudAnswer>;
  /** Host-only: a list operation to its end. */
  callAll(
    name: OperationName,
    input: OperationInput,
    options?: CallOptions,
  ): Promise<{ data: unknown[]; pages: number }>;
  close(): Promise<void>;
}

/** Whatever a use case does with the service, its problems cross the contract as AppErrors with their sentences. */
function withErrors(handlers: CloudHandlers): CloudHandlers {
  const entries = Object.entries(handlers).map(
    ([name, handle]) =>
      [
        name,
        (input: never) => withCloudErrors(async () => (handle as (input: never) => unknown)(input)), // its own input
      ] as const,
  );
  return Object.fromEntries(entries) as unknown as CloudHandlers; // the same names
}

/** Wires accounts, connections, exports, usage and the demo fleet. */
export function createCloudUseCases(
  deps: DeskDeps,
  parts: {
    readonly importPath: (file: string, context: JobContext) => Promise<ImportOutcome>;
    readonly library: ArrivalLibrary;
    readonly onBug: (where: string, thrown: unknown) => void;
    readonly timing?: Timing;
    readonly environment?: NodeJS.ProcessEnv;
  },
): CloudUseCases {
  const repository = createCloudRepository(deps.cache.db);
  const timing = parts.timing === undefined ? {} : { timing: parts.timing };
  const environment = parts.environment === undefined ? {} : { environment: parts.environment };
  const accounts = createAccountStore({
    folder: deps.cache.folder,
    abilities: deps.abilities,
    now: deps.now,
    ...environment,
  });
  const demo = createDemo(deps, {
    accounts,
    simulator: simulatorUrl(),
    forget: ({ accountId }) => {
      connections.forget(accountId);
      repository.forgetAccount(accountId);
    },
    onActivated: () => resume(),
  });
  const connections = createConnections({
    accounts,
    repository,
    appVersion: deps.appVersion,
    now: deps.now,
    onBug: parts.onBug,
    demoService: demo.service,
    ...environment,
    ...timing,
  });
  const exports = createExportUseCases(deps, {
    connections,
    repository,
    importPath: parts.importPath,
    onBug: parts.onBug,
    ...timing,
  });
  const media = createMediaUseCases(deps, {
    connections,
    accounts,
    repository,
    library: parts.library,
    onBug: parts.onBug,
    ...timing,
  });
  /** Takes up what an earlier run of the app, or another account, left. A command is over too soon to do that. */
  function resume(): void {
    exports.resume();
    if (deps.runner === 'worker') media.resume();
  }
  resume();

  return {
    exports,
    media,
    handlers: withErrors({
      ...createAccountHandlers(deps, { connections, accounts, repository, onActivated: resume }),
      ...createUsageHandlers(deps, { connections, accounts, repository }),
      ...exports.handlers,
      ...demo.handlers,
      ...media.handlers,
    }),
    async call(name, input, options) {
      const { client } = await connections.active();
      return media.inTurn(name, input, () => client.call(name, input, options));
    },
    async callAll(name, input, options) {
      const { client } = await connections.active();
      return media.inTurn(name, input, () => collectPages(client, name, input, options));
    },
    async close() {
      exports.close();
      await media.close();
      await demo.close();
    },
  };
}
