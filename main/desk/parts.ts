import type { Handlers, RequestName } from '../../shared/contract/index.ts';

type PrefixOf<Name> = Name extends `${infer Prefix}.${string}` ? Prefix : never;
type Prefix = PrefixOf<RequestName>;

/**
 * The use cases behind the contract, by the first word of a request's name. Each part is loaded at its first use:
 * what a command of the command line does not need, it does not wait for. Forgetting a request is a compile error.
 */
export type Parts = {
  readonly [P in Prefix]: () => Promise<Pick<Handlers, Extract<RequestName, `${P}.${string}`>>>;
};

/** The handlers that hold a request. */
export function partOf(parts: Parts, name: RequestName): Promise<Partial<Handlers>> {
  return parts[name.slice(0, name.indexOf('.')) as Prefix](); // every name of the contract has that form
}

/** Makes something at its first use and keeps it; what failed is tried again at the next. */
export function once<T>(make: () => Promise<T>): { (): Promise<T>; readonly made: () => Promise<T> | null } {
  let made: Promise<T> | null = null;
  const get = (): Promise<T> => {
    if (made) return made;
    const making = make();
    made = making;
    making.catch(() => {
      if (made === making) made = null;
    });
    return making;
  };
  return Object.assign(get, { made: () => made });
}
