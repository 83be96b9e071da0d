import { Button, Kbd, Menu, MultiSelect, Tooltip } from '@mantine/core';
import { IconBookmark, IconCamera } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import type { Derived } from '../../../../shared/contract/derived.ts';
import type { CaseId } from '../../../../shared/ids.ts';
import { Failure } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { channelName } from './anchors.ts';
import { caseNamesOf, type CaseNames } from './caseNames.ts';
import { DerivedDialog } from './DerivedDialog.tsx';
import { InOut } from './InOut.tsx';
import { markItems, type MarkItem } from './markItems.ts';
import { MarkRow } from './MarkRow.tsx';
import classes from './marks.module.css';
import { TrimDialog } from './TrimDialog.tsx';
import { useMomentZone } from './useMomentZone.ts';

/** Rows drawn at once; more on request. */
const pageRows = 100;

/** Bookmarks, ranges, stills and trims of the open scene in order of time, and what makes them. */
export function MarksPanel({ review }: { review: Review }) {
  const zone = useMomentZone(review);
  const scene = useStore(review.store, (state) => state.scene);
  const caseId = useStore(review.store, (state) => state.caseId);
  const state = useStore(review.marks);
  const { names } = useStore(caseNamesOf(review.host));
  const [tags, setTags] = useState<readonly string[]>([]);
  const [editing, setEditing] = useState<string | null>(null);
  const [shown, setShown] = useState<{ derived: Derived; what: 'file' | 'details' } | null>(null);
  const [most, setMost] = useState(pageRows);
  const items = markItems(state, scene);
  const list = useRef<HTMLUListElement>(null);
  const fresh = useFresh(items, state.marks !== review.marks.getInitialState().marks);
  useEffect(() => {
    if (fresh !== null)
      list.current?.querySelector('[data-fresh=true]')?.scrollIntoView({ block: 'nearest' });
  }, [fresh]);
  const knownTags = [...new Set(state.marks.flatMap((mark) => mark.tags))].sort((a, b) => a.localeCompare(b));
  const wanted = tags.filter((tag) => knownTags.includes(tag));
  const listed = items.filter((item) => hasTags(item, wanted));
  return (
    <section className={classes.panel} aria-label="Marks">
      <div className={classes.head}>
        <span className={classes.where} title={whereText(caseId, names)}>
          {caseId === null ? 'New marks: in no case' : `New marks: in ${caseLabel(caseId, names)}`}
        </span>
        <div className={classes.headActs}>
          <Tooltip label="Bookmark this moment (B)">
            <Button
              variant="default"
              size="compact-xs"
              leftSection={<IconBookmark size={14} />}
              onClick={() => void review.marks.bookmark()}
            >
              Bookmark
            </Button>
          </Tooltip>
          <StillMenu review={review} />
        </div>
      </div>
      <InOut review={review} zone={zone} />
      {knownTags.length > 0 && (
        <MultiSelect
          size="xs"
          aria-label="Show only marks with these tags"
          placeholder={wanted.length === 0 ? 'Filter by tag' : ''}
          data={knownTags}
          value={wanted}
          clearable
          onChange={setTags}
        />
      )}
      {state.error !== null && (
        <Failure
          error={state.error}
          isInline
          meaning="The list may be incomplete; what was marked is kept."
        />
      )}
      {items.length === 0 && state.error === null && <NoMarks />}
      {items.length > 0 && listed.length === 0 && (
        <div className={classes.empty}>
          No mark has {wanted.length === 1 ? 'this tag' : 'all of these tags'}.
          <Button variant="default" size="compact-xs" onClick={() => setTags([])}>
            Show all {items.length}
          </Button>
        </div>
      )}
      <ul
        ref={list}
        className={classes.list}
        aria-label="Marks by time"
        data-marks-list
        onKeyDown={moveFocus}
      >
        {listed.slice(0, most).map((item) => (
          <MarkRow
            key={item.id}
            item={item}
            place={{
              review,
              zone,
              caseId,
              otherCase: otherCaseOf(item, caseId, names, state.inCase),
              knownTags,
              isFresh: fresh === item.id,
              isEditing: editing === item.id,
              onEdit: (isEditing) => setEditing(isEditing ? item.id : null),
              onShow: (what) => 'derived' in item && setShown({ derived: item.derived, what }),
            }}
          />
        ))}
      </ul>
      {listed.length > most && (
        <Button variant="default" size="compact-xs" onClick={() => setMost(most + pageRows)}>
          Show {Math.min(pageRows, listed.length - most)} more of {listed.length}
        </Button>
      )}
      <TrimDialog review={review} zone={zone} />
      <DerivedDialog review={review} zone={zone} shown={shown} onClose={() => setShown(null)} />
    </section>
  );
}

/**
 * What came last while the list was looked at: it is brought into sight and stands out for a moment. The first list
 * that is read is no news.
 */
function useFresh(items: readonly MarkItem[], isRead: boolean): string | null {
  const [seen, setSeen] = useState<{
    readonly items: readonly MarkItem[];
    readonly isRead: boolean;
    readonly fresh: string | null;
  }>({ items, isRead, fresh: null });
  if (seen.items === items) return seen.fresh;
  const known = new Set(seen.items.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  const fresh = seen.isRead ? (added[0]?.id ?? null) : null;
  setSeen({ items, isRead, fresh });
  return fresh;
}

/** All of the tags; stills and trims have none. */
function hasTags(item: MarkItem, tags: readonly string[]): boolean {
  if (tags.length === 0) return true;
  return 'mark' in item && tags.every((tag) => item.mark.tags.includes(tag));
}

const caseLabel = (caseId: CaseId, names: CaseNames) => {
  const name = names.get(caseId);
  return name === undefined ? 'the chosen case' : `case “${name}”`;
};

const whereText = (caseId: CaseId | null, names: CaseNames) =>
  caseId === null
    ? 'New marks, stills and trims belong to no case. Choose one above to have them in its package.'
    : `New marks, stills and trims go to ${caseLabel(caseId, names)}, and into its package.`;

/** Said where a mark would not be in the chosen case's package. */
function otherCaseOf(
  item: MarkItem,
  caseId: CaseId | null,
  names: CaseNames,
  inCase: ReadonlySet<string> | undefined,
): string | null {
  if (inCase?.has(item.id)) return null;
  const own = 'mark' in item ? item.mark.caseId : item.derived.caseId;
  if (own === caseId) return null;
  return own === null ? 'in no case' : `in ${names.has(own) ? caseLabel(own, names) : 'another case'}`;
}

/** Up and down go from mark to mark. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-mark-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

function StillMenu({ review }: { review: Review }) {
  const scene = useStore(review.store, (state) => state.scene);
  const shown = useStore(review.store, (state) => state.shown);
  // Which panes have a picture, as one word: the frames themselves change thirty times a second.
  const pictured = useStore(review.store, ({ frames }) => [...frames.keys()].sort().join('\n')).split('\n');
  const channels = scene.channels.filter(({ channelId }) => shown.includes(channelId));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconCamera size={14} />}
          disabled={channels.length === 0}
        >
          Still…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {channels.map((channel) => {
          const name = channelName(channel);
          const hasPicture = pictured.includes(channel.channelId);
          return [false, true].map((withStamp) => (
            <Menu.Item
              key={`${channel.channelId} ${withStamp}`}
              disabled={!hasPicture}
              onClick={() => void review.marks.still(channel.channelId, { withStamp })}
            >
              {name}
              {withStamp ? ', and a copy stamped with its time' : hasPicture ? '' : ' (no picture now)'}
            </Menu.Item>
          ));
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function NoMarks() {
  return (
    <div className={classes.empty}>
      <div>No marks yet.</div>
      <dl className={classes.keys}>
        <dt>
          <Kbd>B</Kbd>
        </dt>
        <dd>bookmarks this moment</dd>
        <dt>
          <Kbd>I</Kbd> <Kbd>O</Kbd>
        </dt>
        <dd>set in and out</dd>
        <dt>
          <Kbd>S</Kbd>
        </dt>
        <dd>keeps a still of the picture</dd>
      </dl>
    </div>
  );
}
