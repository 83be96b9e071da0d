import { Button, Tabs } from '@mantine/core';
import { IconMovieOff, IconDeviceSdCard, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { SceneRequest } from '../../../shared/contract/review.ts';
import { EmptyState, errorDataOf, Failure, Loading, useZone } from '../../ui/index.ts';
import type { CaseStore } from '../library/caseStore.ts';
import { ChartArea } from './charts/ChartArea.tsx';
import { HarshList } from './charts/HarshList.tsx';
import { ClockPanel } from './clocks/ClockPanel.tsx';
import type { ReviewLinks } from './links.ts';
import { MarksPanel } from './marks/MarksPanel.tsx';
import type { Review } from './model.ts';
import { PlayerArea } from './player/PlayerArea.tsx';
import { TransportBar } from './player/TransportBar.tsx';
import type { ReviewHolder } from './reviewHolder.ts';
import { GroundContext } from './reviewMap/ground.ts';
import { ReviewMap } from './reviewMap/ReviewMap.tsx';
import { ReviewSplits } from './ReviewSplits.tsx';
import { ReviewStart } from './ReviewStart.tsx';
import { SceneBar } from './SceneBar.tsx';
import type { StartStore } from './startStore.ts';
import { useUndoKeys } from './undo/useUndoKeys.ts';
import classes from './review.module.css';

export interface ReviewScreenProps {
  readonly holder: ReviewHolder;
  readonly start: StartStore;
  readonly cases: CaseStore;
  /** Null: the start page. */
  readonly request: SceneRequest | null;
  readonly atMs: number | null;
  readonly links: ReviewLinks;
}

/** Videos, charts, map and marks of one scene on one clock; without a scene, the page where one is chosen. */
export function ReviewScreen({ holder, start, cases, request, atMs, links }: ReviewScreenProps) {
  const { mode, localZone } = useZone();
  const held = useStore(holder.store);
  useEffect(() => {
    if (request !== null) holder.open(request, atMs, { mode, localZone });
    // A change of zone is the scene's own affair once it is open.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [holder, request, atMs]);
  useEffect(() => () => holder.pause(), [holder, request]);

  if (request === null) return <ReviewStart store={start} recent={holder.recent} links={links} />;
  const { review } = held;
  if (review.status === 'loading') return <Loading label="Opening the scene" />;
  if (review.status === 'failed') {
    return <NotOpened error={review.error} request={request} links={links} onRetry={holder.retry} />;
  }
  return <SceneView key={sceneKey(review.value)} review={review.value} cases={cases} links={links} />;
}

const sceneKeys = new WeakMap<Review, number>();
let lastSceneKey = 0;
/** Another scene is drawn from scratch: nothing of the one before may stay on screen. */
function sceneKey(review: Review): number {
  let key = sceneKeys.get(review);
  if (key === undefined) {
    key = ++lastSceneKey;
    sceneKeys.set(review, key);
  }
  return key;
}

const tabs = [
  { value: 'marks', label: 'Marks' },
  { value: 'harsh', label: 'Harsh moments' },
  { value: 'clocks', label: 'Clocks' },
] as const;

function SceneView({ review, cases, links }: { review: Review; cases: CaseStore; links: ReviewLinks }) {
  const scene = useStore(review.store, (state) => state.scene);
  const [areNotesShown, setNotesShown] = useState(true);
  useUndoKeys(review);
  return (
    <GroundContext value={links.settings}>
      <div className={classes.screen}>
        <SceneBar
          review={review}
          cases={cases}
          links={links}
          areNotesShown={areNotesShown}
          onNotes={() => setNotesShown(!areNotesShown)}
        />
        {areNotesShown && scene.notes.length > 0 && (
          <SceneNotes notes={scene.notes} onHide={() => setNotesShown(false)} />
        )}
        <TransportBar review={review} />
        <ReviewSplits
          pictures={
            scene.channels.length === 0 ? (
              <NoClips review={review} links={links} />
            ) : (
              <PlayerArea review={review} />
            )
          }
          charts={<ChartArea review={review} />}
          map={<ReviewMap review={review} />}
          lists={
            <Tabs defaultValue="marks" className={classes.tabs} keepMounted={false}>
              <Tabs.List>
                {tabs.map(({ value, label }) => (
                  <Tabs.Tab key={value} value={value}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="marks" className={classes.tabPanel}>
                <MarksPanel review={review} />
              </Tabs.Panel>
              <Tabs.Panel value="harsh" className={classes.tabPanel}>
                <HarshList review={review} />
              </Tabs.Panel>
              <Tabs.Panel value="clocks" className={classes.tabPanel}>
                <ClockPanel review={review} />
              </Tabs.Panel>
            </Tabs>
          }
        />
      </div>
    </GroundContext>
  );
}

/** What the core says of the scene as a whole, one sentence each. */
function SceneNotes({ notes, onHide }: { notes: readonly string[]; onHide: () => void }) {
  return (
    <div className={classes.notes} role="note" aria-label="Notes on this scene">
      <ul tabIndex={0}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <Button variant="subtle" size="compact-xs" leftSection={<IconX size={12} />} onClick={onHide}>
        Hide
      </Button>
    </div>
  );
}

/** A track without video: charts and map still work, and the card may have the recording. */
function NoClips({ review, links }: { review: Review; links: ReviewLinks }) {
  const scene = useStore(review.store, (state) => state.scene);
  const psn = scene.tracks.find((track) => track.psn !== null)?.psn ?? null;
  return (
    <EmptyState
      icon={IconMovieOff}
      title="No clip of this time is here"
      actions={
        psn !== null && (
          <Button
            leftSection={<IconDeviceSdCard size={14} />}
            onClick={() => links.openCard(psn, Math.round(review.clock.nowMs()))}
          >
            Find recordings on the card
          </Button>
        )
      }
    >
      The track is shown on the map. Recall the recordings of this moment from the camera’s card, or import
      clips that were copied from it.
    </EmptyState>
  );
}

/** Nothing to see, or it could not be asked for. */
function NotOpened({
  error,
  request,
  links,
  onRetry,
}: {
  error: unknown;
  request: SceneRequest;
  links: ReviewLinks;
  onRetry: () => void;
}) {
  const back = (
    <Button variant="default" onClick={() => links.go(null, null)}>
      Choose another moment
    </Button>
  );
  const data = errorDataOf(error);
  if (data.code !== 'not_found') {
    return (
      <Failure error={error} meaning="The scene could not be opened." onRetry={onRetry} actions={back} />
    );
  }
  const psn = request.kind === 'moment' ? request.psn : null;
  return (
    <EmptyState
      icon={IconMovieOff}
      title={data.message}
      actions={
        <>
          {psn !== null && request.kind === 'moment' && (
            <Button
              leftSection={<IconDeviceSdCard size={14} />}
              onClick={() => links.openCard(psn, request.atMs)}
            >
              Find recordings on the card
            </Button>
          )}
          {back}
          <Button variant="subtle" onClick={onRetry}>
            Look again
          </Button>
        </>
      }
    >
      {data.remedy ?? 'Import the clips, or recall them from the camera’s card; then they open here.'}
    </EmptyState>
  );
}
