import { Button, Checkbox, Group, NumberInput, Popover, TextInput } from '@mantine/core';
import { IconChevronDown, IconFileDescription, IconFolderPlus } from '@tabler/icons-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { useStore } from 'zustand';
import type { Source } from '../../../shared/contract/sources.ts';
import type { CaseId, SourceId } from '../../../shared/ids.ts';
import {
  Failure,
  formatBytes,
  formatCount,
  formatCounted,
  fromInputText,
  toInputText,
} from '../../ui/index.ts';
import { formatDay, zoneLabel } from '../timeline/clock.ts';
import { useAddToCase } from './AddToCase.tsx';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { parsePlace } from './place.ts';
import { cameraKey } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

/** A toolbar button that opens a panel; filled in while it narrows something. */
export function FilterButton({
  label,
  isOn,
  width,
  children,
}: {
  label: string;
  isOn: boolean;
  width: number;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={width}
      shadow="md"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant={isOn ? 'light' : 'default'}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.filterPanel}>{children}</Popover.Dropdown>
    </Popover>
  );
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

export function SourceFilter({
  stores,
  content,
  openSourceReport,
  openCase,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  openSourceReport: (sourceId: SourceId) => void;
  openCase: (caseId: CaseId) => void;
}) {
  const { filter } = useStore(stores.library);
  const count = filter.sourceIds.size;
  // Clips hold no trips to be filtered, and a card brings thousands of them.
  const withTrips = content.sources.filter((source) => source.kind !== 'clip');
  const only =
    count === 1 ? content.sources.find((source) => filter.sourceIds.has(source.sourceId)) : undefined;
  return (
    <FilterButton
      label={only ? only.fileName : count > 0 ? `${count} sources` : 'Sources'}
      isOn={count > 0}
      width={440}
    >
      {withTrips.map((source) => (
        <div key={source.sourceId} className={classes.filterRow}>
          <Checkbox
            checked={filter.sourceIds.has(source.sourceId)}
            onChange={() =>
              stores.library.setFilter({ sourceIds: toggled(filter.sourceIds, source.sourceId) })
            }
            label={source.fileName}
            description={`${formatCounted(source.trips, 'trip')} · ${formatCounted(source.points, 'point')} · ${formatBytes(source.sizeBytes)}${source.skippedRows > 0 ? ` · ${formatCount(source.skippedRows)} skipped` : ''}`}
          />
          <SourceActs
            source={source}
            stores={stores}
            openSourceReport={openSourceReport}
            openCase={openCase}
          />
        </div>
      ))}
      {withTrips.length === 0 && <span className={classes.dim}>No source in the library.</span>}
    </FilterButton>
  );
}

function SourceActs({
  source,
  stores,
  openSourceReport,
  openCase,
}: {
  source: Source;
  stores: LibraryStores;
  openSourceReport: (sourceId: SourceId) => void;
  openCase: (caseId: CaseId) => void;
}) {
  const add = useAddToCase({
    cases: stores.cases,
    refs: () => [{ kind: 'source', sourceId: source.sourceId }],
    what: source.fileName,
    openCase,
  });
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        aria-label={`Import report of ${source.fileName}`}
        title="Import report"
        onClick={() => openSourceReport(source.sourceId)}
      >
        <IconFileDescription size={16} />
      </ActionIcon>
      <Menu withinPortal={false} position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`Add ${source.fileName} to a case`} title="Add the whole source to a case">
            <IconFolderPlus size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{add.items}</Menu.Dropdown>
      </Menu>
      {add.dialog}
    </Group>
  );
}

export function CameraFilter({ stores, content }: { stores: LibraryStores; content: LibraryContent }) {
  const { filter } = useStore(stores.library);
  const count = filter.cameraKeys.size;
  const cameras = content.cameras.toSorted((a, b) => {
    const at = (psn: string | null) => {
      const index = content.cameraIndex.get(cameraKey(psn)) ?? -1;
      return index < 0 ? Infinity : index;
    };
    return at(a.psn) - at(b.psn);
  });
  return (
    <FilterButton label={count > 0 ? formatCounted(count, 'camera') : 'Cameras'} isOn={count > 0} width={360}>
      {cameras.map((camera) => (
        <div key={cameraKey(camera.psn)} className={classes.filterRow}>
          <Checkbox
            checked={filter.cameraKeys.has(cameraKey(camera.psn))}
            onChange={() =>
              stores.library.setFilter({ cameraKeys: toggled(filter.cameraKeys, cameraKey(camera.psn)) })
            }
            label={
              <span className={classes.cameraName}>
                <CameraMark index={content.cameraIndex.get(cameraKey(camera.psn)) ?? -1} />
                {camera.name ?? camera.psn ?? 'Unknown camera'}
              </span>
            }
            description={`${camera.psn ?? 'no serial in the file'} · ${formatCounted(camera.trips, 'trip')} · ${(camera.distanceM / 1000).toFixed(0)} km`}
          />
        </div>
      ))}
    </FilterButton>
  );
}

export function DateFilter({ stores, zone }: { stores: LibraryStores; zone: LibraryZone }) {
  const { filter } = useStore(stores.library);
  const { fromMs, toMs } = filter;
  const isOn = fromMs !== null || toMs !== null;
  const label = !isOn
    ? 'Dates'
    : `${fromMs === null ? '…' : formatDay(fromMs, zone.zone)} – ${toMs === null ? '…' : formatDay(toMs - 1, zone.zone)}`;
  const field = (name: string, value: number | null, set: (ms: number | null) => void) => (
    <TextInput
      type="datetime-local"
      step={1}
      label={`${name} (${zoneLabel(value ?? 0, zone.zone)})`}
      value={value === null ? '' : toInputText(value, zone.zone)}
      onChange={(event) => set(fromInputText(event.currentTarget.value, zone.zone))}
    />
  );
  return (
    <FilterButton label={label} isOn={isOn} width={260}>
      <div className={classes.filterForm}>
        {field('From', fromMs, (ms) => stores.library.setFilter({ fromMs: ms }))}
        {field('Until', toMs, (ms) => stores.library.setFilter({ toMs: ms }))}
        <span className={classes.dim}>Trips with a recorded point in this range. Zone: {zone.zone}.</span>
        <Button
          variant="default"
          disabled={!isOn}
          onClick={() => stores.library.setFilter({ fromMs: null, toMs: null })}
        >
          Any time
        </Button>
      </div>
    </FilterButton>
  );
}

export function PlaceFilter({ stores }: { stores: LibraryStores }) {
  const { place, placeTrips } = useStore(stores.library);
  const circle = useStore(stores.near, (state) => state.circle);
  const [text, setText] = useState('');
  const [radiusM, setRadiusM] = useState(200);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parsePlace(text);
    if (!parsed) return setProblem('Write latitude and longitude in degrees, like 52.1042, 4.3012');
    setProblem(null);
    stores.library.setPlace({ kind: 'circle', circle: { ...parsed, radiusM } });
  };
  const label =
    place === null
      ? 'Place'
      : place.kind === 'view'
        ? 'In map view'
        : `${place.circle.latDeg.toFixed(3)}, ${place.circle.lngDeg.toFixed(3)} ± ${formatCount(place.circle.radiusM)} m`;
  return (
    <FilterButton label={label} isOn={place !== null} width={300}>
      <div className={classes.filterForm}>
        <Button
          variant="default"
          onClick={() => {
            const bbox = stores.tracks.windowBbox();
            // Null: the map shows the whole world, which narrows nothing.
            stores.library.setPlace(bbox && { kind: 'view', bbox });
          }}
        >
          Trips in what the map shows now
        </Button>
        {circle && (
          <Button variant="default" onClick={() => stores.library.setPlace({ kind: 'circle', circle })}>
            Trips in the circle on the map
          </Button>
        )}
        <form onSubmit={apply} className={classes.filterForm}>
          <TextInput
            label="Around (latitude, longitude)"
            placeholder="52.1042, 4.3012"
            value={text}
            error={problem}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <NumberInput
            size="xs"
            label="Radius"
            suffix=" m"
            min={1}
            max={1_000_000}
            value={radiusM}
            onChange={(value) => setRadiusM(typeof value === 'number' && value >= 1 ? value : 1)}
          />
          <Button type="submit">Narrow to this place</Button>
        </form>
        {placeTrips?.status === 'failed' && <Failure error={placeTrips.error} isInline />}
        <Button variant="default" disabled={place === null} onClick={() => stores.library.setPlace(null)}>
          Any place
        </Button>
      </div>
    </FilterButton>
  );
}
