import { createDeskClient } from '../../../shared/contract/client.ts';
import type { Host, HostLink } from './host.ts';

/** The one client over whatever link carries this window. */
export function createHost(link: HostLink): Host {
  return {
    client: createDeskClient(link.transport),
    connection: link.connection,
    upload: link.upload,
    mediaUrl: link.mediaUrl,
  };
}
