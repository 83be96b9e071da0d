import type { z } from 'zod';
import type { Result } from '../errors.ts';
import { appEvents, appRequests } from './app.ts';
import { cardEvents, cardRequests } from './cards.ts';
import { caseEvents, caseRequests } from './cases.ts';
import { clipRequests } from './clips.ts';
import { cloudEvents, cloudRequests } from './cloud.ts';
import { derivedRequests } from './derived.ts';
import type { EventDefinition, RequestDefinition } from './define.ts';
import { importRequests } from './imports.ts';
import { jobEvents, jobRequests } from './jobs.ts';
import { markRequests } from './marks.ts';
import { packageRequests } from './packages.ts';
import { recallEvents, recallRequests } from './recalls.ts';
import { reviewEvents, reviewRequests } from './review.ts';
import { sourceEvents, sourceRequests } from './sources.ts';
import { tripRequests } from './trips.ts';

/** Everything a front end may ask for. A feature joins by adding its file here, and nowhere else. */
export const requests = {
  ...appRequests,
  ...cardRequests,
  ...caseRequests,
  ...clipRequests,
  ...cloudRequests,
  ...derivedRequests,
  ...importRequests,
  ...jobRequests,
  ...markRequests,
  ...packageRequests,
  ...recallRequests,
  ...reviewRequests,
  ...sourceRequests,
  ...tripRequests,
} as const;

/** Everything the core may tell a front end. */
export const events = {
  ...appEvents,
  ...cardEvents,
  ...caseEvents,
  ...cloudEvents,
  ...jobEvents,
  ...recallEvents,
  ...reviewEvents,
  ...sourceEvents,
} as const;

export type RequestName = keyof typeof requests;
export type EventName = keyof typeof events;

type InputSchemaOf<N extends RequestName> = (typeof requests)[N]['input'];
/** What a caller passes. */
export type InputOf<N extends RequestName> = z.input<InputSchemaOf<N>>;
/** What a handler gets, after the schema has parsed it. */
export type ParsedInputOf<N extends RequestName> = z.output<InputSchemaOf<N>>;
export type OutputOf<N extends RequestName> =
  (typeof requests)[N] extends RequestDefinition<z.ZodType, infer O> ? O : never;
export type PayloadOf<N extends EventName> = (typeof events)[N] extends EventDefinition<infer P> ? P : never;

/** Forgetting a request here is a compile error, in every host and every fake. */
export type Handlers = {
  readonly [N in RequestName]: (input: ParsedInputOf<N>) => Promise<OutputOf<N>> | OutputOf<N>;
};

/** All that a host has to supply to carry the contract. Payloads may hold typed arrays. */
export interface Transport {
  request(name: RequestName, input: unknown): Promise<Result<unknown>>;
  /** Returns the function that ends the subscription. */
  subscribe(name: EventName, listener: (payload: unknown) => void): () => void;
}

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(requests, name);
}
