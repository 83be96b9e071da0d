import { CloudProblem } from './problem.ts';

/**
 * The base address as the client uses it: scheme, host and path prefix, no trailing slash, without the `/v1` that
 * people copy along (once or twice). Throws CloudProblem `address_invalid`. Plain http is for loopback only: the
 * key would travel readable.
 */
export function normalizeBaseUrl(text: string): string {
  const refuse = (detail: string): never => {
    throw new CloudProblem({
      code: 'address_invalid',
      sentCode: null,
      status: 0,
      title: 'Address not valid',
      detail,
      requestId: null,
      operation: 'connect',
      extensions: {},
      isKnownNotDone: true,
    });
  };
  const trimmed = text.trim();
  if (trimmed === '') refuse('it is empty');
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  } catch {
    return refuse(`"${trimmed}" is not an address`);
  }
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    refuse('it must start with https://');
  if (url.username !== '' || url.password !== '') refuse('it may not hold a user name or password');
  if (url.search !== '' || url.hash !== '') refuse('it may not hold "?" or "#"');
  const prefix = url.pathname.replace(/\/+$/, '').replace(/(\/v1)+$/i, '');
  return `${url.origin}${prefix}`;
}
