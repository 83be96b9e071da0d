import type { MenuItemConstructorOptions } from 'electron';
import type { ExternalLink } from './security.ts';

export interface MenuActions {
  readonly importFiles: () => void;
  readonly openLink: (link: ExternalLink) => void;
  readonly showAbout: () => void;
}

/** The application's menu. Roles come with their own words and keys in the user's language. */
export function menuTemplate(
  actions: MenuActions,
  options: { readonly platform: NodeJS.Platform; readonly isPackaged: boolean },
): MenuItemConstructorOptions[] {
  const isMac = options.platform === 'darwin';
  const developer: MenuItemConstructorOptions[] = options.isPackaged
    ? []
    : [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Import…', accelerator: 'CmdOrCtrl+O', click: actions.importFiles },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        {
          label: 'The package format (BagIt, RFC 8493)',
          click: () => actions.openLink('https://www.rfc-editor.org/rfc/rfc8493'),
        },
        {
          label: 'Where to get detailed basemaps',
          click: () => actions.openLink('https://docs.protomaps.com/basemaps/downloads'),
        },
        ...(isMac
          ? []
          : [{ type: 'separator' } as const, { label: 'About Evidence Desk', click: actions.showAbout }]),
      ],
    },
  ];
}

export const importFilters = [
  { name: 'GPS exports and clips', extensions: ['zip', 'csv', 'gpx', 'kml', 'mp4', 'mov'] },
  { name: 'All files', extensions: ['*'] },
];
