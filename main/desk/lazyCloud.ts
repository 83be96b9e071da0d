import { cardRequests } from '../../shared/contract/cards.ts';
import { cloudRequests } from '../../shared/contract/cloud.ts';
import { recallRequests } from '../../shared/contract/recalls.ts';
import type { CloudHandlers, CloudUseCases } from './cloud.ts';

const lazyRequests = { ...cloudRequests, ...cardRequests, ...recallRequests } as const;

export interface LazyCloud {
  readonly handlers: CloudHandlers;
  /** Loads the cloud's use cases, once. */
  open(): Promise<CloudUseCases>;
  close(): Promise<void>;
}

/**
 * The cloud's use cases, loaded at their first use: HTTP costs start-up time that imports, tracks and packages on
 * the command line should not pay.
 */
export function createLazyCloud(create: () => Promise<CloudUseCases>): LazyCloud {
  let opened: Promise<CloudUseCases> | null = null;
  const open = (): Promise<CloudUseCases> => {
    if (opened) return opened;
    const opening = create();
    opened = opening;
    // What failed once may work the next time (a damaged list of accounts that was put right).
    opening.catch(() => {
      if (opened === opening) opened = null;
    });
    return opening;
  };
  const entries = (Object.keys(lazyRequests) as (keyof typeof lazyRequests)[]).map(
    (name) =>
      [
        name,
        async (input: never) => {
          const { handlers } = await open();
          return (handlers[name] as (input: never) => unknown)(input); // same name, so same input and output
        },
      ] as const,
  );
  return {
    open,
    handlers: Object.fromEntries(entries) as unknown as CloudHandlers, // one entry for each name, made right above
    async close() {
      const cloud = await opened?.catch(() => null); // whoever opened it heard of the failure
      await cloud?.close();
    },
  };
}
