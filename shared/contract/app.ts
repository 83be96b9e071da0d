import { z } from 'zod';
import type { UploadId } from '../ids.ts';
import { event, idSchema, nothing, output, request } from './define.ts';

/** What the host can do; the interface shows only what works. */
export interface HostAbilitiesInfo {
  readonly host: 'electron' | 'browser' | 'cli' | 'test';
  readonly canRevealInFolder: boolean;
  readonly canPickFiles: boolean;
  /** How secrets are kept: the system's keychain, an encrypted file, or not at all. */
  readonly secretStore: 'keychain' | 'encrypted-file' | 'weak' | 'none';
}

export interface AppInfo {
  readonly version: string;
  readonly dataFolder: string;
  readonly abilities: HostAbilitiesInfo;
  /** SHA-256 of the seal's public key, lower-case hex; null until the first package is sealed. */
  readonly sealFingerprint: string | null;
  readonly sealPublicKeyPem: string | null;
  readonly cacheSizeBytes: number;
  readonly hasSample: boolean;
  readonly versions: Readonly<Record<string, string>>;
}

export const settingsSchema = z
  .object({
    theme: z.enum(['system', 'light', 'dark']),
    /** IANA zone of "local" times; null follows the machine. */
    localZone: z.string().max(100).nullable(),
    /** Tile address with {z}/{x}/{y}; null (default) asks no network for maps. */
    onlineTileUrl: z.string().url().max(500).nullable(),
    onlineTileAttribution: z.string().max(300).nullable(),
    /** The investigator's name, as custody entries and packages state it. */
    actorName: z.string().trim().max(200).nullable(),
    organization: z.string().trim().max(200).nullable(),
  })
  .strict();
export type Settings = z.infer<typeof settingsSchema>;

/** A basemap that the user picked (PMTiles); served with byte ranges under `mediaPath`. */
export interface Basemap {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mediaPath: string;
}

export const appRequests = {
  'app.info': request(nothing, output<AppInfo>()),
  'settings.get': request(nothing, output<Settings>()),
  'settings.set': request(settingsSchema.partial(), output<Settings>()),
  'basemap.get': request(nothing, output<Basemap | null>()),
  'basemap.set': request(z.object({ uploadId: idSchema<UploadId>() }).strict(), output<Basemap>()),
  'basemap.clear': request(nothing, output<null>()),
} as const;

export const appEvents = {
  'settings.changed': event<Settings>(),
} as const;
