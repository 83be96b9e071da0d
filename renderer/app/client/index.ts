export type { Connection, ConnectionState, Host, HostLink, UploadFile, UploadOptions } from './host.ts';
export { createConnection, onReconnected } from './connection.ts';
export { HostProvider, useClient, useConnection, useHost } from './HostContext.tsx';
export { createBrowserLink } from './browserLink.ts';
export { createElectronLink } from './electronLink.ts';
export { createHost } from './createHost.ts';
