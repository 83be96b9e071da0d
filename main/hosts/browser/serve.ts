import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../../shared/errors.ts';
import { connectDesk, type DeskConnection } from '../../desk/deskConnection.ts';
import type { HostAbilities } from '../../desk/deps.ts';
import { defaultConfigFolder } from '../../desk/folders.ts';
import { createFileSecretStore } from '../../desk/secretFile.ts';
import { fileReply, rendererCaching, rendererFile, securityHeaders } from '../../desk/serving.ts';
import { tileOrigin } from '../../desk/settings.ts';
import { answerRequest, answerUpload, type OnBug } from './api.ts';
import { createEventStreams } from './eventStream.ts';
import { createGate, type Gate } from './gate.ts';
import { sendFile, sendText } from './replies.ts';

export interface ServeOptions {
  readonly dataFolder: string;
  /** Default: any free port. */
  readonly port?: number;
  /** The built window (`dist/renderer`). */
  readonly rendererFolder: string;
  readonly appVersion: string;
  /** The sample export; null where there is none. */
  readonly samplePath: string | null;
  readonly runner?: 'worker' | 'inline';
  /** Starts the built-in simulated fleet and makes it the active account. */
  readonly isDemo?: boolean;
  /** Where the key of the file secret store is kept; the user's configuration folder by default. */
  readonly configFolder?: string;
  readonly onBug?: OnBug;
  /** Other code than the desk's own thread, for tests of one that dies. */
  readonly worker?: URL;
}

export interface BrowserHost {
  /** What to open in a browser: works once. */
  readonly address: string;
  /** `http://127.0.0.1:<port>`, without the token. */
  readonly origin: string;
  /** Resolves when the desk ended by itself, with what to tell the user. */
  readonly crashed: Promise<AppError>;
  close(): Promise<void>;
}

function logBug(where: string, thrown: unknown): void {
  console.error(`evidence-desk: ${where}:`, thrown);
}

function createAbilities(options: ServeOptions): HostAbilities {
  const secrets = createFileSecretStore({
    configFolder: options.configFolder ?? defaultConfigFolder(),
    dataFolder: options.dataFolder,
    environment: process.env,
  });
  return {
    info: { host: 'browser', canRevealInFolder: false, canPickFiles: true, secretStore: secrets.kind },
    protectSecret: secrets.protectSecret,
    revealSecret: secrets.revealSecret,
    async revealInFolder() {
      throw new AppError('ability_missing', 'A browser window can’t show files in the file manager.', {
        remedy: 'Download the file instead.',
      });
    },
  };
}

/**
 * Serves the window over loopback HTTP: 127.0.0.1 only, a one-time token, Host and Origin checked on every
 * request. Rejects with the AppError of openDesk, or AppError('busy') when the port is taken.
 */
export async function serveBrowser(options: ServeOptions): Promise<BrowserHost> {
  const onBug = options.onBug ?? logBug;
  const desk = await connectDesk({
    dataFolder: options.dataFolder,
    abilities: createAbilities(options),
    runner: options.runner ?? 'worker',
    appVersion: options.appVersion,
    samplePath: options.samplePath,
    onBug,
    ...(options.worker ? { worker: options.worker } : {}),
  });
  try {
    if (options.isDemo) await desk.client.invoke('demo.start', {});
    return await listen(options, desk, onBug);
  } catch (thrown) {
    await desk.close();
    throw thrown;
  }
}

async function listen(options: ServeOptions, desk: DeskConnection, onBug: OnBug): Promise<BrowserHost> {
  const server = http.createServer();
  // Uploads of gigabytes take what they take; headers do not.
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  server.listen(options.port ?? 0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new AppError('busy', `Port ${options.port} of this computer can't be used.`, {
      remedy: 'Choose another port, or none for any that is free.',
      cause,
    });
  }
  const gate = createGate((server.address() as AddressInfo).port); // listening on TCP, so it has one
  const streams = createEventStreams(desk);
  let origin: string | null = tileOrigin(await desk.client.invoke('settings.get', {}));
  const stop = desk.client.on('settings.changed', (settings) => {
    origin = tileOrigin(settings);
  });
  const route = createRouter(options, desk, gate, streams, onBug);

  server.on('request', (request, response) => {
    for (const [name, value] of Object.entries(securityHeaders(origin))) response.setHeader(name, value);
    route(request, response).catch((thrown: unknown) => {
      onBug(`${request.method} ${request.url?.split('?')[0]}`, thrown);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong inside Evidence Desk.');
    });
  });
  // Nothing here speaks another protocol.
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('clientError', (_thrown, socket) => socket.destroy());

  const crashed = Promise.withResolvers<AppError>();
  desk.onCrash((error) => {
    streams.close(); // windows see the stream end, ask again, and show what the reply says
    crashed.resolve(error);
  });

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    stop();
    streams.close();
    server.close();
    server.closeAllConnections();
    await desk.close();
  };
  return {
    address: gate.address,
    origin: gate.origin,
    crashed: crashed.promise,
    close: () => (closing ??= close()),
  };
}

const allowedMethods: Readonly<Record<string, readonly string[]>> = {
  '/api/request': ['POST'],
  '/api/upload': ['POST'],
  '/api/events': ['GET'],
};
const readMethods = ['GET', 'HEAD'];

function createRouter(
  options: ServeOptions,
  desk: DeskConnection,
  gate: Gate,
  streams: ReturnType<typeof createEventStreams>,
  onBug: OnBug,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    // The path as it was sent: URL would already have resolved `..` and `%2e`, and what is strange is refused.
    const target = request.url ?? '/';
    const path = target.split('?', 1)[0] ?? '/';
    const url = URL.parse(target, gate.origin);
    if (!url || !target.startsWith('/')) return sendText(response, 400, 'Not an address of Evidence Desk.');

    const answer = gate.check(request, url);
    if (answer.kind === 'refuse') {
      request.resume();
      return sendText(response, answer.status, answer.message);
    }
    if (answer.kind === 'admit') {
      if (answer.setCookie !== '') response.setHeader('set-cookie', answer.setCookie);
      response.writeHead(303, { location: '/', 'cache-control': 'no-store', 'content-length': 0 }).end();
      return;
    }

    const methods = allowedMethods[path] ?? readMethods;
    if (!methods.includes(request.method ?? '')) {
      request.resume();
      response.setHeader('allow', methods.join(', '));
      return sendText(response, 405, 'This address does not take that.');
    }
    if (path === '/api/request') return answerRequest(request, response, desk);
    if (path === '/api/upload') return answerUpload(request, response, url, desk.dataFolder, onBug);
    if (path === '/api/events') return streams.add(response);
    if (path.startsWith('/media/')) {
      const reply = fileReply(await desk.mediaFile(path), {
        range: request.headers.range,
        caching: 'private, no-cache',
      });
      return sendFile(request, response, reply);
    }
    const file = await rendererFile(options.rendererFolder, path);
    if (!file && path === '/') {
      return sendText(response, 404, 'The window is not built yet: run "npm run build" first.');
    }
    return sendFile(request, response, fileReply(file, { caching: rendererCaching(path) }));
  };
}
