import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

/** Addresses on this machine never go through a proxy: the built-in demo fleet lives there. */
const neverProxied = 'localhost,127.0.0.1,::1,[::1]';

/** The proxy settings of the environment for Node's agents, with loopback left out of them. */
function proxySettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const list = given === '' ? neverProxied : `${given},${neverProxied}`;
  return { ...environment, no_proxy: list, NO_PROXY: list };
}

const contexts = new Map<string, tls.SecureContext>();

function readPem(file: string | undefined): string | null {
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // said by describeTrust when a connection fails for it
  }
}

/**
 * What is trusted: Node's own authorities, the system's store, and those of NODE_EXTRA_CA_CERTS or `extraCa` (PEM),
 * beside each other. The file is read here because an installed app's Node is built to ignore the variable.
 */
function trust(environment: NodeJS.ProcessEnv, extraCa: string | undefined): tls.SecureContext {
  const file = environment.NODE_EXTRA_CA_CERTS;
  const key = `${file ?? ''}\n${extraCa ?? ''}`;
  const known = contexts.get(key);
  if (known) return known;
  const extra = [readPem(file), extraCa].filter((pem) => typeof pem === 'string' && pem !== '') as string[];
  const context = tls.createSecureContext({
    ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system'), ...extra])],
  });
  contexts.set(key, context);
  return context;
}

/** A remark for a failed secure connection when NODE_EXTRA_CA_CERTS names a file that can't be read; else ''. */
export function describeTrust(environment: NodeJS.ProcessEnv = process.env): string {
  const file = environment.NODE_EXTRA_CA_CERTS;
  return file && readPem(file) === null ? `; NODE_EXTRA_CA_CERTS can't be read: ${file}` : '';
}

export interface Agents {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
}

/**
 * Agents that honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY (with CONNECT for https) and trust a company's own
 * authority. Certificates are loaded for the first https connection only: plain loopback never pays for them.
 */
export function createAgents(options: {
  readonly keepAlive: boolean;
  readonly extraCa?: string;
  readonly environment?: NodeJS.ProcessEnv;
}): Agents {
  const environment = options.environment ?? process.env;
  const shared = { keepAlive: options.keepAlive, proxyEnv: proxySettings(environment) };
  let httpsAgent: https.Agent | null = null;
  return {
    httpAgent: new http.Agent(shared),
    get httpsAgent() {
      // Agents pass a secureContext through to tls.connect, where the types do not show it.
      const secure = { ...shared, secureContext: trust(environment, options.extraCa) } as https.AgentOptions;
      return (httpsAgent ??= new https.Agent(secure));
    },
  };
}
