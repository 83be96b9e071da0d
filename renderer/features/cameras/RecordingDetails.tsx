import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { RecordingPart, RecordingRow } from '../../../shared/contract/cards.ts';
import { CopyButton, Facts, Failure, formatCount, Section } from '../../ui/index.ts';
import type { ClipId } from '../../../shared/ids.ts';
import classes from './cameras.module.css';
import type { CardStore, Look } from './cardStore.ts';
import { ClipPlayer } from './ClipPlayer.tsx';
import { clipIdOf } from './heldClip.ts';
import { gpsFacts, peakOf } from './lookFacts.ts';
import { Thumb } from './RecordingTable.tsx';
import { TrueTime } from './TrueTime.tsx';
import {
  directionName,
  lackText,
  livesText,
  partsText,
  streamBytes,
  transferText,
  typeName,
  wallClockText,
} from './words.ts';

/** The recording that is looked at: pictures, time, place, sizes, and the way to the clip. */
export function RecordingDetails({
  row,
  store,
  mediaUrl,
  onRecall,
  onDelete,
  onReview,
}: {
  row: RecordingRow;
  store: CardStore;
  mediaUrl: (mediaPath: string) => string;
  onRecall: () => void;
  onDelete: (filename: string) => void;
  onReview: (clipId: ClipId) => void;
}) {
  const looks = useStore(store.store, (state) => state.looks);
  const clock = wallClockText(row.recordedAtLocal);
  const sub = streamBytes(row.parts, 'sub');
  const main = streamBytes(row.parts, 'main');
  const bestHeld = heldOf(row);
  return (
    <div className={classes.details}>
      <div className={classes.asideHead}>
        <h2>
          {typeName(row.type, row.typeCode)}, {partsText(row)}
        </h2>
      </div>
      <Facts
        rows={[
          ['Camera clock', `${clock.time}, ${clock.day} (no zone)`],
          ['True time', <TrueTime key="time" row={row} />],
          [
            'On the card',
            row.livesAboutMs === null
              ? 'life not known'
              : `likely overwritten in ${livesText(row.livesAboutMs)}`,
          ],
        ]}
      />
      <Button leftSection={<IconDownload size={14} />} onClick={onRecall}>
        Recall… low {sub === null ? 'size not stated' : transferText(sub)} · full{' '}
        {main === null ? 'size not stated' : transferText(main)}
      </Button>
      {bestHeld !== null && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => onReview(clipIdOf(bestHeld))}
        >
          Review
        </Button>
      )}
      {row.parts.map((part) => (
        <PartCard
          key={part.filename}
          part={part}
          look={looks.get(part.filename)}
          store={store}
          mediaUrl={mediaUrl}
          onDelete={() => onDelete(part.filename)}
        />
      ))}
    </div>
  );
}

/** The best clip of a recording that is here; the scene finds its other lens itself. */
function heldOf({ parts }: RecordingRow): string | null {
  const full = parts.find(({ main }) => main.heldSha256 !== null)?.main.heldSha256;
  return full ?? parts.find(({ sub }) => sub?.heldSha256 != null)?.sub?.heldSha256 ?? null;
}

function PartCard({
  part,
  look,
  store,
  mediaUrl,
  onDelete,
}: {
  part: RecordingPart;
  look: Look | undefined;
  store: CardStore;
  mediaUrl: (mediaPath: string) => string;
  onDelete: () => void;
}) {
  const [played, setPlayed] = useState<string | null>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const name = directionName(part.direction, part.directionCode);
  const isDeleteLacking = useStore(store.store, ({ missingScopes }) => missingScopes.includes('media:write'));
  useEffect(() => {
    let isCurrent = true;
    store.wantedBy(part.filename).then(
      (caseIds) => isCurrent && setWanted(caseIds.length),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [store, part.filename]);
  const held = [
    { quality: 'low', sha256: part.sub?.heldSha256 ?? null },
    { quality: 'full', sha256: part.main.heldSha256 },
  ].flatMap(({ quality, sha256 }) => (sha256 === null ? [] : [{ quality, sha256 }]));
  return (
    <Section
      title={name}
      note={part.filename}
      actions={
        <Tooltip
          label={isDeleteLacking ? lackText('media:write') : 'Delete from the card…'}
          multiline={isDeleteLacking}
          {...(isDeleteLacking ? { w: 300 } : {})}
          events={{ hover: true, focus: true, touch: true }}
        >
          <ActionIcon
            aria-label={`Delete ${part.filename} from the card`}
            data-disabled={isDeleteLacking}
            aria-disabled={isDeleteLacking}
            aria-description={isDeleteLacking ? lackText('media:write') : undefined}
            onClick={() => !isDeleteLacking && onDelete()}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      }
    >
      {played === null && (
        <div className={classes.preview}>
          <Thumb look={look} />
        </div>
      )}
      {played !== null && (
        <ClipPlayer
          key={played}
          sha256={played}
          title={part.filename}
          fileName={part.filename}
          mediaUrl={mediaUrl}
        />
      )}
      {held.length > 0 && (
        <div className={classes.recallActs}>
          {held.map(({ quality, sha256 }) => (
            <Button
              key={quality}
              variant="default"
              size="compact-xs"
              leftSection={<IconPlayerPlay size={13} />}
              aria-label={`${played === sha256 ? 'Close' : 'Play'} ${part.filename}, ${quality}`}
              onClick={() => setPlayed(played === sha256 ? null : sha256)}
            >
              {played === sha256 ? `Close ${quality}` : `Play ${quality}`}
            </Button>
          ))}
        </div>
      )}
      {look?.status === 'failed' && (
        <Failure error={look.error} isInline onRetry={() => store.lookAgain(part.filename)} />
      )}
      <Facts
        rows={[
          ['Full', sizeText(part.main.sizeBytes)],
          ['Low', part.sub === null ? 'none on the card' : sizeText(part.sub.sizeBytes)],
          ...(look?.status === 'found' ? lookRows(look) : []),
          ...(wanted !== null && wanted > 0 ? ([['Wanted by', `${wanted} case(s)`]] as const) : []),
        ]}
      />
    </Section>
  );
}

function sizeText(sizeBytes: number | null): string {
  return sizeBytes === null ? 'not stated' : `${transferText(sizeBytes)} (${formatCount(sizeBytes)} bytes)`;
}

function lookRows(look: Extract<Look, { status: 'found' }>) {
  const gps = gpsFacts(look.metadata);
  const peak = peakOf(look.metadata);
  const place = gps?.place ?? null;
  const text = place === null ? '' : `${place.latDeg.toFixed(5)}, ${place.lngDeg.toFixed(5)}`;
  return [
    [
      'GPS',
      gps === null
        ? 'no samples'
        : `${formatCount(gps.samples)} samples${gps.maxSpeedKmh === null ? '' : `, up to ${gps.maxSpeedKmh.toFixed(1)} km/h`}`,
    ],
    ...(place === null
      ? []
      : ([
          [
            'Place',
            <span key="place" className={classes.place}>
              {text} <CopyButton text={text} what="coordinates" />
            </span>,
          ],
        ] as const)),
    [
      'G peak',
      peak === null
        ? 'no samples'
        : `${peak.g.toFixed(2)} g at ${(peak.offsetMs / 1000).toFixed(1)} s, gravity included`,
    ],
  ] as const;
}
