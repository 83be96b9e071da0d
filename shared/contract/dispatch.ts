import { AppError, toErrorData, type Result } from '../errors.ts';
import { isRequestName, requests, type Handlers, type RequestName } from './index.ts';

/**
 * The one dispatcher: parses the input against the contract (the front end is not trusted), runs the handler,
 * turns failures into data. `onBug` hears of every error that nobody foresaw. `find` gives the handlers that hold a
 * request; a part of the core may be loaded for it.
 */
export function createDispatcher(
  find: (name: RequestName) => Promise<Partial<Handlers>> | Partial<Handlers>,
  onBug: (name: string, thrown: unknown) => void,
): (name: string, input: unknown) => Promise<Result<unknown>> {
  return async (name, input) => {
    if (!isRequestName(name)) {
      return {
        ok: false,
        error: { code: 'invalid_input', message: `There is no request named ${JSON.stringify(name)}.` },
      };
    }
    const parsed = requests[name].input.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const place = issue?.path.length ? issue.path.join('.') : 'the input';
      return {
        ok: false,
        error: { code: 'invalid_input', message: `${name}: ${place}: ${issue?.message ?? 'not valid'}.` },
      };
    }
    try {
      // The schema of this very name produced the input; TypeScript can't follow a union of functions here.
      const handler = (await find(name))[name] as (input: unknown) => Promise<unknown>;
      return { ok: true, value: await handler(parsed.data) };
    } catch (thrown) {
      if (!(thrown instanceof AppError)) onBug(name, thrown);
      return { ok: false, error: toErrorData(thrown) };
    }
  };
}
