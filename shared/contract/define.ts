import { z } from 'zod';

declare const outputType: unique symbol;
/** Carries a type through a value: the contract is a value from which every host derives its types. */
export interface Output<T> {
  readonly [outputType]?: T;
}
export interface RequestDefinition<S extends z.ZodType, O> {
  readonly kind: 'request';
  readonly input: S;
  readonly output: Output<O>;
}
export interface EventDefinition<P> {
  readonly kind: 'event';
  readonly payload: Output<P>;
}

/** Names the result type of a request; there is nothing to run. */
export function output<T>(): Output<T> {
  return {};
}
/** Declares a request: its input schema, parsed on the main side, and its result type. */
export function request<S extends z.ZodType, O>(input: S, result: Output<O>): RequestDefinition<S, O> {
  return { kind: 'request', input, output: result };
}
/** Declares an event that the core pushes to front ends. */
export function event<P>(): EventDefinition<P> {
  return { kind: 'event', payload: {} };
}

/** Input of a request that needs none. */
export const nothing = z.object({}).strict();

/** A branded identifier: any short printable text; whether it exists is the use case's question. */
export function idSchema<Id extends string>(): z.ZodType<Id, string> {
  return z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w.-]+$/)
    .transform((text) => text as Id); // the brand has no runtime form
}
