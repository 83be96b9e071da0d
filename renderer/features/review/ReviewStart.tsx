import { ActionIcon, Button, Select, Tooltip } from '@mantine/core';
import { IconFileImport, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { EmptyState, Failure, formatCount, formatCounted, Loading, Section, Time } from '../../ui/index.ts';
import type { ReviewLinks } from './links.ts';
import { MomentList } from './MomentList.tsx';
import { MomentSearch } from './MomentSearch.tsx';
import { momentCamera } from './moments.ts';
import type { RecentScenes } from './recentScenes.ts';
import { keyOfRequest } from './sceneRequest.ts';
import { mostMoments, type StartStore } from './startStore.ts';
import classes from './review.module.css';

/** Where a scene is chosen: by camera and time, from what was open last, or from everything that is here. */
export function ReviewStart({
  store,
  recent,
  links,
}: {
  store: StartStore;
  recent: RecentScenes;
  links: ReviewLinks;
}) {
  const { moments, psn } = useStore(store);
  const { scenes } = useStore(recent.store);
  useEffect(() => store.attach(), [store]);

  if (moments.status === 'loading') return <Loading label="Looking for what can be reviewed" />;
  if (moments.status === 'failed') {
    return (
      <Failure
        error={moments.error}
        meaning="Nothing is lost: the list of clips could not be read just now."
        onRetry={store.refresh}
      />
    );
  }
  if (moments.value.length === 0 && psn === undefined) {
    return (
      <EmptyState
        icon={IconPlayerPlay}
        title="Nothing to review yet"
        actions={
          <>
            <Button leftSection={<IconFileImport size={14} />} onClick={links.importFiles}>
              Import clips…
            </Button>
            <Button variant="default" onClick={links.openCameras}>
              Recall from a camera’s card
            </Button>
          </>
        }
      >
        Video clips are seen here beside their G-sensor, speed and map. Import MP4 files that were copied from
        a card, or recall recordings from a camera.
      </EmptyState>
    );
  }
  return (
    <div className={classes.start}>
      <div className={classes.startSide}>
        <Section title="By camera and time">
          <MomentSearch store={store} links={links} />
        </Section>
        {scenes.length > 0 && (
          <Section title="Open again" isFlush>
            <ul className={classes.recent}>
              {scenes.map(({ request, title, openedAtMs }) => (
                <li key={keyOfRequest(request)}>
                  <a href={links.hrefOf(request, null)}>
                    <span className={classes.recentTitle}>{title}</span>
                    <span className={classes.dim}>
                      seen <Time utcMs={openedAtMs} style="minute" />
                    </span>
                  </a>
                  <Tooltip label="Take out of this list">
                    <ActionIcon
                      size={22}
                      aria-label={`Take ${title} out of this list`}
                      onClick={() => recent.remove(request)}
                    >
                      <IconX size={14} />
                    </ActionIcon>
                  </Tooltip>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
      <section className={classes.startList} aria-label="Clips">
        <div className={classes.startHead}>
          <h2>Clips</h2>
          <span className={classes.dim} role="status">
            {moments.value.length >= mostMoments
              ? `the newest ${formatCount(mostMoments)}; choose a camera, or open by time`
              : formatCounted(moments.value.length, 'moment')}
          </span>
          <CameraFilter store={store} />
        </div>
        {moments.value.length === 0 ? (
          <EmptyState icon={IconPlayerPlay} title="No clips of this camera">
            Choose another camera, or all.
          </EmptyState>
        ) : (
          <MomentList moments={moments.value} links={links} />
        )}
      </section>
    </div>
  );
}

const everyCamera = '\u0001';
const unknownCamera = '\u0000';

/** Narrows the list to a camera. Those without a clip are not offered. */
function CameraFilter({ store }: { store: StartStore }) {
  const { cameras, moments, psn } = useStore(store);
  const names = new Map<string, string>();
  for (const camera of cameras)
    names.set(camera.psn ?? unknownCamera, camera.name ?? camera.psn ?? 'Unknown');
  for (const moment of moments.status === 'ready' ? moments.value : []) {
    names.set(moment.psn ?? unknownCamera, momentCamera(moment));
  }
  const options = [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
  return (
    <Select
      aria-label="Camera of the clips listed"
      className={classes.startCamera}
      searchable
      data={[{ value: everyCamera, label: 'All cameras' }, ...options]}
      value={psn === undefined ? everyCamera : (psn ?? unknownCamera)}
      allowDeselect={false}
      onChange={(value) =>
        store.choose(
          value === null || value === everyCamera ? undefined : value === unknownCamera ? null : value,
        )
      }
    />
  );
}
