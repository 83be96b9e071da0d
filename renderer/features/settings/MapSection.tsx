import { Button, Group, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Basemap, Settings } from '../../../shared/contract/app.ts';
import { toErrorData } from '../../../shared/errors.ts';
import { Failure, formatBytes, Notice, ProgressLine, Section, Status } from '../../ui/index.ts';
import { pickFiles } from '../imports/index.ts';
import type { ChangeSettings } from './InvestigatorSection.tsx';
import classes from './settings.module.css';
import { TextSetting } from './TextSetting.tsx';

/** The form alone; whether tiles can be asked there is the core's to say. */
function tileProblem(text: string): string | null {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:'
    ? null
    : 'Write a web address that begins with https://';
}

type Pick =
  | { readonly status: 'idle' }
  | {
      readonly status: 'copying';
      readonly fileName: string;
      readonly sentBytes: number;
      readonly sizeBytes: number;
    }
  | { readonly status: 'failed'; readonly error: unknown };

/** What lies under the tracks: the built-in map, a file of the user's, and, only if set, tiles of the network. */
export function MapSection({
  settings,
  basemap,
  needsReload,
  onChange,
  onPick,
  onClear,
}: {
  settings: Settings;
  basemap: Basemap | null;
  /** A new tile address waits for the page to be loaded again. */
  needsReload: boolean;
  onChange: ChangeSettings;
  onPick: (file: File, onProgress: (sentBytes: number) => void, signal: AbortSignal) => Promise<void>;
  onClear: () => Promise<void>;
}) {
  const [pick, setPick] = useState<Pick>({ status: 'idle' });
  const controller = useRef<AbortController | null>(null);
  const choose = async () => {
    const [file] = await pickFiles({ accept: '.pmtiles', isSingle: true });
    if (!file) return;
    const abort = new AbortController();
    controller.current = abort;
    const show = (sentBytes: number) =>
      setPick({ status: 'copying', fileName: file.name, sentBytes, sizeBytes: file.size });
    show(0);
    try {
      await onPick(file, show, abort.signal);
      setPick({ status: 'idle' });
    } catch (error) {
      setPick(toErrorData(error).code === 'canceled' ? { status: 'idle' } : { status: 'failed', error });
    }
  };
  const clear = () => {
    onClear().then(
      () => setPick({ status: 'idle' }),
      (error: unknown) => setPick({ status: 'failed', error }),
    );
  };
  return (
    <Section title="Map">
      <Stack gap="md">
        <div>
          <div className={classes.label}>Offline basemap</div>
          <div className={classes.hint}>
            Land, borders, lakes and places come with the app. For streets, choose a PMTiles file (Protomaps
            basemap); it is copied into the evidence cache.
          </div>
          <Group gap="sm" mt={6}>
            {basemap ? (
              <>
                <span className={classes.fileName}>
                  {basemap.fileName} <span className={classes.hint}>{formatBytes(basemap.sizeBytes)}</span>
                </span>
                <Button variant="default" onClick={() => void choose()}>
                  Replace…
                </Button>
                <Button variant="default" onClick={clear}>
                  Remove
                </Button>
              </>
            ) : (
              <Button variant="default" disabled={pick.status === 'copying'} onClick={() => void choose()}>
                Choose a PMTiles file…
              </Button>
            )}
          </Group>
          {pick.status === 'copying' && (
            <Group gap="sm" mt={8} wrap="nowrap">
              <div style={{ flex: 1 }}>
                <ProgressLine
                  label={`Copying ${pick.fileName}`}
                  share={pick.sizeBytes > 0 ? pick.sentBytes / pick.sizeBytes : null}
                  left={`Copying ${pick.fileName} · ${formatBytes(pick.sentBytes)} of ${formatBytes(pick.sizeBytes)}`}
                />
              </div>
              <Button variant="default" onClick={() => controller.current?.abort()}>
                Cancel
              </Button>
            </Group>
          )}
          {pick.status === 'failed' && <Failure error={pick.error} isInline />}
        </div>
        <div>
          <Group gap="sm" mb={4}>
            <span className={classes.label}>Online map tiles</span>
            {settings.onlineTileUrl === null ? (
              <Status tone="ok">Off: no network requests</Status>
            ) : (
              <Status tone="warn">On: the map asks this address</Status>
            )}
          </Group>
          <Stack gap="xs">
            <TextSetting
              label="Tile address"
              description="With {z}, {x} and {y}. Empty switches online tiles off."
              placeholder="https://tiles.example/{z}/{x}/{y}.png"
              value={settings.onlineTileUrl}
              maxLength={500}
              problemOf={tileProblem}
              onSave={(onlineTileUrl) => onChange({ onlineTileUrl })}
            />
            <TextSetting
              label="Attribution"
              description="What the tile provider asks to be shown on the map."
              value={settings.onlineTileAttribution}
              maxLength={300}
              onSave={(onlineTileAttribution) => onChange({ onlineTileAttribution })}
            />
            {needsReload && (
              <Notice tone="warn">
                This page was loaded before the address was set and may not load pictures from there. Online
                tiles appear after a reload.{' '}
                <Button variant="default" size="compact-xs" onClick={() => window.location.reload()}>
                  Reload the window
                </Button>
              </Notice>
            )}
            <Notice tone={settings.onlineTileUrl === null ? 'info' : 'warn'}>
              With an address set, looking at the map makes network requests: the provider sees which places
              you look at. Apart from them, only accounts that you add under Account use the network.
            </Notice>
          </Stack>
        </div>
      </Stack>
    </Section>
  );
}
