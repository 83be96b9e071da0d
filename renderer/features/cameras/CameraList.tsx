import { Button, Select, TextInput } from '@mantine/core';
import { IconCamera, IconChevronRight, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { CameraEntry } from '../../../shared/contract/cards.ts';
import {
  EmptyState,
  Failure,
  formatCounted,
  Loading,
  Status,
  VirtualRows,
  ZoneSwitch,
} from '../../ui/index.ts';
import { AsOf } from '../account/AsOf.tsx';
import { formatAge } from '../account/freshness.ts';
import { problemError } from '../account/problemError.ts';
import { useNowMs } from '../account/useNowMs.ts';
import { BudgetLine } from './BudgetLine.tsx';
import classes from './cameras.module.css';
import type { CameraLinks } from './CamerasScreen.tsx';
import { filterCameras, type CameraStore } from './cameraStore.ts';
import {
  browseWords,
  categoryText,
  connectivityText,
  seatText,
  seenText,
  statusWords,
  vehicleText,
} from './cameraWords.ts';
import { RecallList } from './RecallList.tsx';
import type { RecallStore } from './recallStore.ts';

/** All cameras of the account: what each is, when it was seen, and whether its card can be browsed. */
export function CameraList({
  store,
  recalls,
  links,
}: {
  store: CameraStore;
  recalls: RecallStore;
  links: CameraLinks;
}) {
  const { listing, groupId, groups, text } = useStore(store.store);
  const queue = useStore(recalls.store);
  const { value, error, isReading } = listing;
  const nowMs = useNowMs();
  const all = value?.cameras ?? [];
  const shown = filterCameras(all, text);
  const failure = error ?? (value?.problem ? problemError(value.problem) : null);
  return (
    <div className={classes.screen}>
      <div className={classes.toolbar}>
        <TextInput
          aria-label="Find a camera"
          placeholder="Find by name, serial, plate, vehicle"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => store.setText(event.currentTarget.value)}
          style={{ width: 220 }}
        />
        {groups.length > 0 && (
          <Select
            aria-label="Group"
            placeholder="All groups"
            clearable
            data={groups.map((group) => ({ value: group.groupId, label: group.name }))}
            value={groupId}
            onChange={(next) => void store.setGroup(next)}
            style={{ width: 150 }}
          />
        )}
        <span className={classes.muted}>
          {value !== null && (
            <>
              {shown.length === all.length
                ? formatCounted(all.length, 'camera')
                : `${shown.length} of ${formatCounted(all.length, 'camera')}`}
              , <AsOf atMs={value.fetchedAtMs} />
            </>
          )}
        </span>
        <span className={classes.spring} />
        <BudgetLine budget={queue.budget} />
        <ZoneSwitch />
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isReading}
          onClick={() => void store.refresh()}
        >
          Refresh
        </Button>
      </div>
      <div className={queue.recalls.length > 0 ? classes.withAside : classes.withoutAside}>
        <div className={classes.pane}>
          {failure !== null && (
            <Failure
              error={failure}
              isInline
              onRetry={() => void store.refresh()}
              {...(all.length > 0
                ? { meaning: 'The list below is older; what is stored stays readable.' }
                : {})}
            />
          )}
          {value === null && failure === null && <Loading label="Reading the cameras" />}
          {value !== null && shown.length === 0 && failure === null && (
            <EmptyState
              icon={IconCamera}
              title={all.length === 0 ? 'No cameras here' : 'No camera of that name'}
            >
              {all.length === 0
                ? groupId === null
                  ? 'The service lists no camera for this account.'
                  : 'This group has no cameras.'
                : 'Change the text or the group.'}
            </EmptyState>
          )}
          {shown.length > 0 && (
            <>
              <div className={classes.cameraHead} aria-hidden>
                <span>Camera</span>
                <span>Vehicle</span>
                <span>State</span>
                <span>Connection</span>
                <span>Seat</span>
                <span>SD card</span>
              </div>
              <VirtualRows
                className={classes.cameraRows}
                label="Cameras"
                count={shown.length}
                estimatedHeight={54}
                keyOf={(index) => shown[index]?.device.psn ?? index}
                render={(index) => {
                  const camera = shown[index];
                  return camera ? (
                    <CameraRow camera={camera} nowMs={nowMs} href={links.hrefOf(camera.device.psn)} />
                  ) : null;
                }}
              />
            </>
          )}
        </div>
        {queue.recalls.length > 0 && (
          <aside className={classes.aside} aria-label="Recalls">
            <RecallList
              store={recalls}
              cameraName={(psn) => store.find(psn)?.device.name ?? psn}
              mediaUrl={links.mediaUrl}
              cases={links.cases}
              onReview={links.review}
            />
          </aside>
        )}
      </div>
    </div>
  );
}

function CameraRow({ camera, nowMs, href }: { camera: CameraEntry; nowMs: number; href: string }) {
  const { device, obstacle, listedAtMs } = camera;
  const status = statusWords(device);
  const browse = browseWords(obstacle);
  const isOpenable = obstacle === null || obstacle.isPassing || listedAtMs !== null;
  const name = device.name ?? device.psn;
  return (
    <div className={classes.cameraRow} data-off={!isOpenable}>
      <div className={classes.cell}>
        {isOpenable ? (
          <a className={classes.cameraName} href={href} aria-label={`Open the card of ${name}`}>
            {name} <IconChevronRight size={13} aria-hidden />
          </a>
        ) : (
          <span className={classes.cameraName}>{name}</span>
        )}
        <div className={classes.muted}>{device.psn}</div>
      </div>
      <div className={classes.cell}>
        {vehicleText(device) ?? <span className={classes.muted}>not stated</span>}
      </div>
      <div className={classes.cell}>
        {status === null ? (
          <span className={classes.muted}>status not stated</span>
        ) : (
          <Status tone={status.tone}>{status.text}</Status>
        )}
        <div className={classes.muted}>{seenText(device, nowMs)}</div>
      </div>
      <div className={classes.cell}>
        {connectivityText(device)} · {categoryText(device)}
        <div className={classes.muted}>firmware {device.fwVersion ?? 'not stated'}</div>
      </div>
      <div className={classes.cell}>{seatText(device)}</div>
      <div className={classes.cell}>
        <Status tone={browse.tone}>{browse.text}</Status>
        <div className={classes.muted}>
          {obstacle !== null && (
            <>
              {obstacle.what} {obstacle.todo}{' '}
              {obstacle.learntAtMs !== null && `(learnt ${formatAge(obstacle.learntAtMs, nowMs)}) `}
            </>
          )}
          {listedAtMs !== null && `Listed ${formatAge(listedAtMs, nowMs)}; readable offline.`}
        </div>
      </div>
    </div>
  );
}
