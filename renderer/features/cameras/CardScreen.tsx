import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconClock, IconDownload, IconPower, IconRefresh } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { RecordingRow } from '../../../shared/contract/cards.ts';
import {
  EmptyState,
  Failure,
  formatCount,
  formatCounted,
  Loading,
  Notice,
  Status,
  ZoneSwitch,
} from '../../ui/index.ts';
import { AsOf } from '../account/AsOf.tsx';
import { problemError } from '../account/problemError.ts';
import { useNowMs } from '../account/useNowMs.ts';
import { BudgetLine } from './BudgetLine.tsx';
import classes from './cameras.module.css';
import type { CameraLinks } from './CamerasScreen.tsx';
import type { CameraStore } from './cameraStore.ts';
import {
  browseWords,
  connectivityText,
  seatText,
  seenText,
  statusWords,
  vehicleText,
} from './cameraWords.ts';
import { CardFilterBar } from './CardFilterBar.tsx';
import type { CardState, CardStore } from './cardStore.ts';
import { CardTimeline } from './CardTimeline.tsx';
import { ClockDialog, clockSummary } from './ClockDialog.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { MomentFinder, MomentResult } from './MomentFinder.tsx';
import { RebootDialog } from './RebootDialog.tsx';
import { RecallDialog, type RecallItem } from './RecallDialog.tsx';
import { RecallList } from './RecallList.tsx';
import type { RecallStore } from './recallStore.ts';
import { isActive } from './recallWords.ts';
import { RecordingDetails } from './RecordingDetails.tsx';
import { isFiltering } from './recordingFilter.ts';
import { countText, RecordingTable } from './RecordingTable.tsx';
import { directionName, lackText, typeName, wallClockText } from './words.ts';

/** The rows that an act is about: the chosen ones, or the one that is looked at. */
function rowsInHand({ rows, chosen, focusId }: CardState): readonly RecordingRow[] {
  return rows.filter((row) => (chosen.size > 0 ? chosen.has(row.rowId) : row.rowId === focusId));
}

function toItems(psn: string, rows: readonly RecordingRow[]): readonly RecallItem[] {
  return rows.flatMap((row) =>
    row.parts.map((part) => {
      const clock = wallClockText(row.recordedAtLocal);
      return {
        psn,
        filename: part.filename,
        label: `${clock.day} ${clock.time} ${typeName(row.type, row.typeCode)}, ${directionName(part.direction, part.directionCode)}`,
      };
    }),
  );
}

/** One camera's card: day lanes, list, the recording that is looked at, and its recalls. */
export function CardScreen({
  store,
  cameras,
  recalls,
  atMs,
  links,
}: {
  store: CardStore;
  cameras: CameraStore;
  recalls: RecallStore;
  atMs: number | null;
  links: CameraLinks;
}) {
  const state = useStore(store.store);
  const camera = useStore(cameras.store, ({ listing }) =>
    listing.value?.cameras.find(({ device }) => device.psn === store.psn),
  );
  const [dialog, setDialog] = useState<'none' | 'recall' | 'clock' | 'reboot'>('none');
  const [deleting, setDeleting] = useState<string | null>(null);
  const [side, setSide] = useState<Side>('recording');
  const { listing, rows, shown, focusId, error, isReading } = state;
  useEffect(() => void store.open(), [store]);

  const name = camera?.device.name ?? store.psn;
  const focus = useMemo(() => shown.find((row) => row.rowId === focusId) ?? null, [shown, focusId]);
  // The list answers a filter at once, the lanes a moment later.
  const laneRows = useDeferredValue(shown);
  const inHand = useMemo(() => rowsInHand(state), [state]);
  const items = useMemo(
    () => (dialog === 'recall' ? toItems(store.psn, inHand) : null),
    [dialog, store.psn, inHand],
  );
  const failure = error ?? (listing?.problem ? problemError(listing.problem) : null);
  const obstacle = listing?.obstacle ?? camera?.obstacle ?? null;
  const openRecall = () => inHand.length > 0 && setDialog('recall');
  const lookedAt = items?.filter(({ filename }) => state.looks.get(filename)?.status === 'found').length ?? 0;
  return (
    <div className={classes.screen}>
      <CardHead
        store={store}
        cameras={cameras}
        recalls={recalls}
        name={name}
        links={links}
        onReboot={() => setDialog('reboot')}
      />
      <div className={classes.toolbar}>
        <CardFilterBar store={store} />
        <span className={classes.spring} />
        <MomentFinder store={store} atMs={atMs} />
      </div>
      <div className={classes.withAside}>
        <div className={classes.pane}>
          {failure !== null && (
            <Failure
              error={failure}
              isInline
              onRetry={() => void store.refresh(true)}
              {...(rows.length > 0
                ? { meaning: 'The listing below is older; it stays readable without the camera.' }
                : {})}
            />
          )}
          {failure === null && obstacle !== null && (
            <Notice tone="warn">
              <Status tone={browseWords(obstacle).tone}>{browseWords(obstacle).text}</Status> {obstacle.what}{' '}
              {obstacle.todo}
            </Notice>
          )}
          <MomentResult store={store} />
          {listing === null && failure === null && <Loading label="Reading the card" />}
          {listing !== null && rows.length === 0 && failure === null && !isReading && (
            <EmptyState icon={IconDownload} title="No recordings">
              The card lists no recordings.
            </EmptyState>
          )}
          {rows.length > 0 && listing !== null && (
            <>
              <CardTimeline rows={laneRows} focus={focus} onFocus={store.focus} />
              <div className={classes.tableBar}>
                <span>
                  <strong>{countText(shown.length, rows.length)}</strong>{' '}
                  {rows.length === 1 ? 'recording' : 'recordings'}
                  {listing.isLoading &&
                    `, ${formatCount(listing.recordings)}${listing.total === null ? '' : ` of ${formatCount(listing.total)}`} files read`}
                </span>
                {listing.isLoading && (
                  <Button variant="subtle" size="compact-xs" onClick={() => void store.stop()}>
                    Stop loading
                  </Button>
                )}
                <Button
                  variant="subtle"
                  size="compact-xs"
                  leftSection={<IconClock size={13} />}
                  onClick={() => setDialog('clock')}
                >
                  Clock: {clockSummary(listing.clock)}
                </Button>
                <span className={classes.spring} />
                <ZoneSwitch />
                {state.lookPause !== null && <Status tone="warn">Thumbnails wait for the camera</Status>}
                <Button
                  size="compact-sm"
                  leftSection={<IconDownload size={14} />}
                  disabled={inHand.length === 0}
                  onClick={openRecall}
                >
                  {state.chosen.size > 0
                    ? `Recall ${formatCounted(state.chosen.size, 'chosen recording')}…`
                    : 'Recall…'}
                </Button>
              </div>
              {shown.length === 0 ? (
                <EmptyState icon={IconDownload} title="Nothing under this filter">
                  {isFiltering(state.filter) && 'Clear the filter, or refresh to ask the card with it.'}
                </EmptyState>
              ) : (
                <RecordingTable store={store} onRecall={openRecall} />
              )}
            </>
          )}
        </div>
        <aside className={classes.aside} aria-label="Recording and recalls">
          <SideSwitch psn={store.psn} recalls={recalls} side={side} onSide={setSide} />
          {side === 'recording' ? (
            focus === null ? (
              <div className={classes.muted} style={{ padding: 12 }}>
                No recording is chosen.
              </div>
            ) : (
              <RecordingDetails
                key={focus.rowId}
                row={focus}
                store={store}
                mediaUrl={links.mediaUrl}
                onRecall={() => {
                  store.choose([...state.chosen], false);
                  setDialog('recall');
                }}
                onDelete={setDeleting}
                onReview={links.review}
              />
            )
          ) : (
            <RecallList
              store={recalls}
              cameraName={(psn) => cameras.find(psn)?.device.name ?? psn}
              mediaUrl={links.mediaUrl}
              cases={links.cases}
              onReview={links.review}
            />
          )}
        </aside>
      </div>
      <RecallDialog
        items={items}
        camera={name}
        store={recalls}
        cases={links.cases.store}
        lookedAt={lookedAt}
        onLook={() => items && store.want(items.map(({ filename }) => filename))}
        onClose={() => setDialog('none')}
        onStarted={() => setSide('recalls')}
      />
      {listing !== null && (
        <ClockDialog
          isOpen={dialog === 'clock'}
          clock={listing.clock}
          store={store}
          onClose={() => setDialog('none')}
        />
      )}
      <RebootDialog
        isOpen={dialog === 'reboot'}
        camera={name}
        store={store}
        onClose={() => setDialog('none')}
      />
      <DeleteDialog filename={deleting} store={store} onClose={() => setDeleting(null)} />
    </div>
  );
}

type Side = 'recording' | 'recalls';

/** What stands beside the list. Alone in following the queue: what moves there must not draw the card again. */
function SideSwitch({
  psn,
  recalls,
  side,
  onSide,
}: {
  psn: string;
  recalls: RecallStore;
  side: Side;
  onSide: (side: Side) => void;
}) {
  const underway = useStore(
    recalls.store,
    (queue) => queue.recalls.filter((recall) => recall.psn === psn && isActive(recall)).length,
  );
  return (
    <SegmentedControl
      fullWidth
      aria-label="What is shown beside the list"
      value={side}
      onChange={(value) => onSide(value === 'recalls' ? 'recalls' : 'recording')}
      data={[
        { value: 'recording', label: 'Recording' },
        { value: 'recalls', label: underway > 0 ? `Recalls (${underway} under way)` : 'Recalls' },
      ]}
    />
  );
}

/** Who the camera is, how old what is shown is, and what can be asked of it. */
function CardHead({
  store,
  cameras,
  recalls,
  name,
  links,
  onReboot,
}: {
  store: CardStore;
  cameras: CameraStore;
  recalls: RecallStore;
  name: string;
  links: CameraLinks;
  onReboot: () => void;
}) {
  const { listing, filter, isReading, missingScopes } = useStore(store.store);
  const isRestartLacking = missingScopes.includes('devices:write');
  const device = useStore(cameras.store, ({ listing: list }) =>
    list.value?.cameras.find((one) => one.device.psn === store.psn),
  )?.device;
  const budget = useStore(recalls.store, (state) => state.budget);
  const nowMs = useNowMs();
  const status = device ? statusWords(device) : null;
  return (
    <div className={classes.head}>
      <a className={classes.back} href={links.hrefOf(null)} aria-label="All cameras">
        <IconArrowLeft size={15} aria-hidden /> Cameras
      </a>
      <h2>{name}</h2>
      {status && <Status tone={status.tone}>{status.text}</Status>}
      <span className={classes.headFacts}>
        {device
          ? [
              store.psn,
              vehicleText(device),
              connectivityText(device),
              seatText(device),
              seenText(device, nowMs),
            ]
              .filter((part) => part !== null)
              .join(' · ')
          : store.psn}
      </span>
      <span className={classes.spring} />
      <BudgetLine budget={budget} />
      <span className={classes.muted}>{listing !== null && <AsOf atMs={listing.fetchedAtMs} />}</span>
      <Button
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={isReading || listing?.isLoading === true}
        onClick={() => void store.refresh(false)}
        title="Asks the card; nothing is charged"
      >
        {isFiltering(filter) ? 'Refresh filtered' : 'Refresh'}
      </Button>
      <Tooltip
        label={lackText('devices:write')}
        disabled={!isRestartLacking}
        multiline
        w={300}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button
          variant="default"
          leftSection={<IconPower size={14} />}
          // Still to be pointed at, so that it can say why.
          data-disabled={isRestartLacking}
          aria-disabled={isRestartLacking}
          aria-description={isRestartLacking ? lackText('devices:write') : undefined}
          onClick={() => !isRestartLacking && onReboot()}
        >
          Restart…
        </Button>
      </Tooltip>
    </div>
  );
}
