import { settingsSchema, type Settings } from '../../shared/contract/app.ts';
import { AppError } from '../../shared/errors.ts';
import { settingsKey, type SettingStore } from './settingStore.ts';

export const defaultSettings: Settings = {
  theme: 'system',
  localZone: null,
  onlineTileUrl: null,
  onlineTileAttribution: null,
  actorName: null,
  organization: null,
};

/**
 * What the user has set. A value that no longer fits (an older version wrote it, a zone that this machine
 * does not know) falls back to its default alone, the others stay.
 */
export function readSettings(store: SettingStore): Settings {
  const stored = toRecord(store.get(settingsKey));
  const known: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const parsed = schema.safeParse(stored[key]);
    if (parsed.success) known[key] = parsed.data;
  }
  return settingsSchema.parse({ ...defaultSettings, ...known });
}

/** Keeps a change. AppError('invalid_input') names the setting and what would be right. */
export function changeSettings(store: SettingStore, change: Partial<Settings>): Settings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings = settingsSchema.parse({ ...readSettings(store), ...given });
  if (settings.onlineTileUrl !== null) requireTileUrl(settings.onlineTileUrl);
  if (settings.localZone !== null) requireZone(settings.localZone);
  const tidy: Settings = {
    ...settings,
    actorName: settings.actorName === '' ? null : settings.actorName,
    organization: settings.organization === '' ? null : settings.organization,
  };
  store.set(settingsKey, tidy);
  return tidy;
}

/**
 * The origin that the user's tile address names (`https://tiles.example`), for the content security policy:
 * the one foreign place that the window may load pictures from. Null when no address is set.
 */
export function tileOrigin(settings: Pick<Settings, 'onlineTileUrl'>): string | null {
  return settings.onlineTileUrl === null ? null : requireTileUrl(settings.onlineTileUrl);
}

function requireTileUrl(text: string): string {
  const refuse = (message: string): never => {
    throw new AppError('invalid_input', `settings.set: onlineTileUrl: ${message}`, {
      remedy: 'Give an address such as https://tiles.example.org/{z}/{x}/{y}.png, or leave it empty.',
    });
  };
  const missing = ['{z}', '{x}', '{y}'].find((part) => !text.includes(part));
  if (missing !== undefined) refuse(`${missing} is missing from the tile address.`);
  // Braces in the server's name would make it many servers; one origin is what the policy can allow.
  const server = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (server === undefined) return refuse('the tile address must begin with https:// or http://.');
  if (!/^[a-z0-9.:[\]-]+$/i.test(server))
    return refuse('the tile address must name one server, without a user name.');
  const url = URL.parse(text);
  if (!url || url.hostname === '') return refuse('the tile address is not an address.');
  return url.origin;
}

function requireZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      `settings.set: localZone: ${JSON.stringify(zone)} is not a time zone.`,
      {
        remedy: 'Give a name such as Europe/Amsterdam, or leave it empty to follow this machine.',
        cause,
      },
    );
  }
}

/** Settings are a convenience: damaged ones are the defaults, not a desk that won't open. */
function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
