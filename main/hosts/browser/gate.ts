import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request may go on, and if not, why, in words for the person in front of it. */
export type GateAnswer =
  | { readonly kind: 'pass' }
  /** The one-time token was right: set this cookie and go to `/`. */
  | { readonly kind: 'admit'; readonly setCookie: string }
  | { readonly kind: 'refuse'; readonly status: 401 | 403; readonly message: string };

const secretBytes = 32;

function isSame(given: string | undefined, wanted: string): boolean {
  if (given === undefined) return false;
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

function refuse(status: 401 | 403, message: string): GateAnswer {
  return { kind: 'refuse', status, message };
}

/**
 * The door of the loopback host. Every request must name this very address (a rebound DNS name does not), come
 * from this origin (another site, or another port of this machine, does not) and show the cookie that the
 * one-time token in the printed address was exchanged for (another user of the machine can't).
 */
export function createGate(port: number) {
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  // Cookies know no ports: two desks on one machine must not overwrite each other's.
  const cookieName = `evidence_desk_${port}`;
  const session = randomBytes(secretBytes).toString('hex');
  let token: string | null = randomBytes(secretBytes).toString('hex');

  return {
    origin,
    /** What to open in a browser; works once. */
    address: `${origin}/?token=${token}`,

    /** `url` is the request's, parsed against `origin`. */
    check(request: IncomingMessage, url: URL): GateAnswer {
      const { headers, method = 'GET' } = request;
      if (headers.host !== host) return refuse(403, 'This address does not belong to Evidence Desk.');
      const isRead = method === 'GET' || method === 'HEAD';
      if (headers.origin !== undefined && headers.origin !== origin) {
        return refuse(403, 'Another site may not use Evidence Desk.');
      }
      if (!isRead && headers.origin === undefined) {
        return refuse(403, 'A change must come from the window of Evidence Desk.');
      }
      const given = url.searchParams.get('token');
      const isArrival = method === 'GET' && url.pathname === '/' && given !== null;
      const site = headers['sec-fetch-site'];
      // A link that somebody clicks may lead here with its token; nothing else may come from elsewhere.
      if (!isArrival && site !== undefined && site !== 'same-origin' && site !== 'none') {
        return refuse(403, 'Another site may not use Evidence Desk.');
      }
      if (isArrival && token !== null && isSame(given, token)) {
        token = null;
        return {
          kind: 'admit',
          setCookie: `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`,
        };
      }
      if (isSame(cookieOf(headers.cookie, cookieName), session)) {
        // The same link opened again in the same browser: it is in already.
        return isArrival ? { kind: 'admit', setCookie: '' } : { kind: 'pass' };
      }
      return refuse(
        401,
        'This window is not signed in to Evidence Desk. Its address works once: start Evidence Desk again and open the address that it prints.',
      );
    },
  };
}
export type Gate = ReturnType<typeof createGate>;
