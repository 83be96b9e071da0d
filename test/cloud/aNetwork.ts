import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import path from 'node:path';

const portOf = (server: Server): number => (server.address() as AddressInfo).port; // listens on TCP
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
}

export interface Certificates {
  /** The company's own authority, as a file for NODE_EXTRA_CA_CERTS and as text. */
  readonly caFile: string;
  readonly caPem: string;
  readonly key: string;
  readonly cert: string;
}

/** An authority of our own and a certificate by it for `host`, made with openssl. */
export function makeCertificates(folder: string, host: string, days = 2): Certificates {
  const file = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const ca = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Company', '-days', '2'];
  openssl('req', '-x509', ...ec, ...ca, '-addext', 'keyUsage=critical,keyCertSign');
  openssl('req', ...ec, '-keyout', file('host.key'), '-out', file('host.csr'), '-subj', `/CN=${host}`);
  writeFileSync(file('host.ext'), `subjectAltName=DNS:${host}\n`);
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', String(days)];
  openssl(
    'x509',
    '-req',
    '-in',
    file('host.csr'),
    ...signed,
    '-extfile',
    file('host.ext'),
    '-out',
    file('host.pem'),
  );
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  return { caFile: file('ca.pem'), caPem: read('ca.pem'), key: read('host.key'), cert: read('host.pem') };
}

/** The service behind TLS, as it is in the world: everything goes to `baseUrl`. */
export async function aSecureFront(certificates: Certificates, baseUrl: string) {
  const server = https.createServer(
    { key: certificates.key, cert: certificates.cert },
    (request, response) => {
      const inner = http.request(
        `${baseUrl}${request.url ?? '/'}`,
        { method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      inner.on('error', () => response.destroy());
      request.pipe(inner);
    },
  );
  const port = await listen(server);
  return {
    port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A company's proxy on loopback: CONNECT only, every name leads to `port`; remembers what it was asked. */
export async function aProxy(port: number, refusesWith: number | null = null) {
  const asked: { target: string; headers: string }[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      asked.push({ target: text.split(' ')[1] ?? '', headers: text });
      if (refusesWith !== null || !text.startsWith('CONNECT ')) {
        socket.end(`HTTP/1.1 ${refusesWith ?? 405} No\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const inner = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        inner.pipe(socket).pipe(inner);
      });
      sockets.add(inner);
      inner.on('error', () => socket.destroy());
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    url,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
