import { Button, Menu } from '@mantine/core';
import { IconBriefcase, IconCheck, IconFolderPlus, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CaseFile, ExhibitRef } from '../../../shared/contract/cases.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { formatCounted, notifyDone, notifyFailure } from '../../ui/index.ts';
import { NameDialog } from '../cases/NameDialog.tsx';
import type { CaseStore } from '../library/caseStore.ts';
import type { ReviewLinks } from './links.ts';
import type { Review } from './model.ts';
import { sceneClipIds } from './NearbyChooser.tsx';
import classes from './review.module.css';

const mostListed = 14;

/** The case that marks, stills and trims go to, and what puts the scene's clips and tracks into it. */
export function CaseChooser({
  review,
  cases,
  links,
}: {
  review: Review;
  cases: CaseStore;
  links: ReviewLinks;
}) {
  const list = useStore(cases, (state) => state.cases);
  const caseId = useStore(review.store, (state) => state.caseId);
  const scene = useStore(review.store, (state) => state.scene);
  const [isNaming, setNaming] = useState(false);
  useEffect(() => cases.attach(), [cases]);
  const known = list.status === 'ready' ? list.value : [];
  const chosen = known.find((one) => one.caseId === caseId) ?? null;
  const choose = (next: CaseId | null) => review.store.setState({ caseId: next });
  const clips: ExhibitRef[] = sceneClipIds(scene).map((clipId) => ({ kind: 'clip', clipId }));
  const tracks: ExhibitRef[] = scene.tracks.map(({ tripId }) => ({ kind: 'trip', tripId }));
  const add = (refs: readonly ExhibitRef[], what: string) => {
    if (caseId === null) return;
    cases.add(caseId, refs).then(
      (file: CaseFile) =>
        notifyDone(
          `Added ${what} to “${file.name}”`,
          `${formatCounted(file.exhibits, 'exhibit')} in the case now.`,
          [{ label: 'Open case', run: () => links.openCase(file.caseId) }],
        ),
      (thrown: unknown) => notifyFailure(`${what} could not be added`, thrown),
    );
  };
  const shown = known.slice(0, mostListed);
  const listed = chosen && !shown.includes(chosen) ? [chosen, ...shown] : shown;
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant={caseId === null ? 'subtle' : 'default'}
            color="gray"
            size="compact-sm"
            leftSection={<IconBriefcase size={14} />}
            aria-label={`Case that marks go to: ${chosen?.name ?? (caseId === null ? 'none' : 'unknown')}`}
          >
            <span className={classes.caseName}>
              {chosen?.name ?? (caseId === null ? 'No case' : 'Case…')}
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Marks, stills and trims go to</Menu.Label>
          <Menu.Item
            leftSection={<Chosen isOn={caseId === null} />}
            onClick={() => choose(null)}
            aria-current={caseId === null || undefined}
          >
            No case
          </Menu.Item>
          {listed.map((one) => (
            <Menu.Item
              key={one.caseId}
              leftSection={<Chosen isOn={one.caseId === caseId} />}
              onClick={() => choose(one.caseId)}
              aria-current={one.caseId === caseId || undefined}
            >
              {one.name}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setNaming(true)}>
            New case…
          </Menu.Item>
          {list.status === 'failed' && (
            <Menu.Item onClick={cases.refresh}>The cases could not be read. Try again</Menu.Item>
          )}
          {caseId !== null && (
            <>
              <Menu.Divider />
              {clips.length > 0 && (
                <Menu.Item
                  leftSection={<IconFolderPlus size={14} />}
                  onClick={() => add(clips, formatCounted(clips.length, 'clip'))}
                >
                  Add the scene’s {formatCounted(clips.length, 'clip')}
                </Menu.Item>
              )}
              {tracks.length > 0 && (
                <Menu.Item
                  leftSection={<IconFolderPlus size={14} />}
                  onClick={() => add(tracks, formatCounted(tracks.length, 'trip'))}
                >
                  Add the scene’s {formatCounted(tracks.length, 'trip')}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconBriefcase size={14} />} onClick={() => links.openCase(caseId)}>
                Open the case
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        isOpen={isNaming}
        title="New case"
        label="Name of the case"
        nameAtFirst=""
        confirmLabel="Create case"
        onClose={() => setNaming(false)}
        onConfirm={async (name) => {
          const file = await cases.create(name, []);
          choose(file.caseId);
        }}
      />
    </>
  );
}

/** Room for the tick is kept, so that names stand in line. */
function Chosen({ isOn }: { isOn: boolean }) {
  return isOn ? <IconCheck size={14} aria-label="chosen" /> : <span style={{ width: 14 }} />;
}
