import { ActionIcon, Badge, Menu } from '@mantine/core';
import {
  IconBookmark,
  IconBriefcase,
  IconCamera,
  IconClockPin,
  IconCut,
  IconDotsVertical,
  IconDownload,
  IconFileDescription,
  IconInfoCircle,
  IconMaximize,
  IconPencil,
  IconRepeat,
  IconSpacingHorizontal,
  IconStackPush,
  IconTable,
  IconTrash,
} from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { CaseId } from '../../../../shared/ids.ts';
import { notifyFailure } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { derivedUrl, downloadDerived, downloadRecipe, downloadTelemetry } from './files.ts';
import { addToCase, moveToCase, moveToNow, removeDerived, removeMark } from './markEdits.ts';
import { itemTitle, kindName, type MarkItem } from './markItems.ts';
import classes from './marks.module.css';
import { Moment } from './Moment.tsx';
import { formatElapsed, type MomentZone } from './momentText.ts';
import { WordsForm } from './WordsForm.tsx';

const icons = {
  bookmark: IconBookmark,
  range: IconSpacingHorizontal,
  still: IconCamera,
  'stamped-still': IconClockPin,
  trim: IconCut,
} as const;
/** Lands on the frame and not, by rounding, on the one before it. */
const insideFrameMs = 0.5;

export interface RowPlace {
  readonly review: Review;
  readonly zone: MomentZone;
  readonly caseId: CaseId | null;
  /** What the mark's own case is called where it is not the chosen one; null where it is. */
  readonly otherCase: string | null;
  readonly knownTags: readonly string[];
  /** Just came: stands out for a moment. */
  readonly isFresh: boolean;
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  /** Shows a still or a trim large, or how it came to be. */
  readonly onShow: (what: 'file' | 'details') => void;
}

const attempt = (title: string, act: Promise<void>) =>
  void act.catch((thrown) => notifyFailure(title, thrown));

/** One mark: click or Enter goes there, Delete takes it away, the menu has the rest. */
export function MarkRow({ item, place }: { item: MarkItem; place: RowPlace }) {
  const { review, zone, otherCase, isEditing } = place;
  const Icon = icons[item.kind];
  const canGo = isInScene(item, review);
  const go = () => {
    if (canGo && item.fromMs !== null) review.clock.seek(item.fromMs + insideFrameMs);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Delete') {
      event.preventDefault();
      event.stopPropagation();
      focusBeside(event.currentTarget);
      remove(review, item);
    } else if (event.key === 'F2' && 'mark' in item) {
      event.preventDefault();
      place.onEdit(true);
    }
  };
  const words = 'mark' in item ? item.mark : null;
  return (
    <li className={classes.row} data-kind={item.kind} data-fresh={place.isFresh}>
      <button
        type="button"
        className={classes.rowMain}
        data-mark-row
        aria-keyshortcuts="Delete F2"
        aria-disabled={!canGo}
        title={canGo ? 'Go to this moment' : 'Not in the time or clips that are open'}
        onClick={go}
        onKeyDown={onKey}
      >
        <Icon size={15} className={classes.rowIcon ?? ''} aria-hidden />
        <span className={classes.rowText}>
          <span className={classes.rowTime}>
            <Moment ms={item.fromMs} zone={zone} />
            {item.fromMs !== null && item.toMs !== null && (
              <span className={classes.muted}> · {formatElapsed(item.toMs - item.fromMs)} long</span>
            )}
          </span>
          {/* While they are edited, the fields below say them. */}
          {!isEditing && (
            <span className={classes.rowTitle} data-untitled={words?.title === ''}>
              {itemTitle(item)}
            </span>
          )}
          {!isEditing && words && words.note !== '' && <span className={classes.rowNote}>{words.note}</span>}
          {'derived' in item && <DerivedFacts item={item} />}
        </span>
        {'derived' in item && item.kind !== 'trim' && (
          <img
            className={classes.thumbnail}
            src={derivedUrl(review, item.derived)}
            alt=""
            loading="lazy"
            decoding="async"
          />
        )}
      </button>
      <RowMenu item={item} place={place} canGo={canGo} />
      {!isEditing && ((words?.tags.length ?? 0) > 0 || otherCase !== null) && (
        <div className={classes.rowTags}>
          {words?.tags.map((tag) => (
            <Badge key={tag} size="sm" variant="default" tt="none" fw={500}>
              {tag}
            </Badge>
          ))}
          {otherCase !== null && <span className={classes.muted}>{otherCase}</span>}
        </div>
      )}
      {isEditing && words && (
        <WordsForm
          review={review}
          mark={words}
          knownTags={place.knownTags}
          onClose={() => place.onEdit(false)}
        />
      )}
    </li>
  );
}

/** The keyboard stays in the list when the row under it goes. */
function focusBeside(row: Element): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-mark-row]')];
  const at = rows.findIndex((one) => one === row);
  (rows[at + 1] ?? rows[at - 1])?.focus();
}

function isInScene(item: MarkItem, review: Review): boolean {
  const { fromMs, toMs } = review.store.getState().scene;
  return item.fromMs !== null && item.fromMs >= fromMs - 1 && item.fromMs <= toMs + 1;
}

function remove(review: Review, item: MarkItem): void {
  const act = 'mark' in item ? removeMark(review, item.mark) : removeDerived(review, item.derived);
  attempt(`${kindName(item.kind)} not removed`, act);
}

/** Of a still its frame and size; of a trim what was asked and what was cut. */
function DerivedFacts({ item }: { item: Extract<MarkItem, { derived: unknown }> }) {
  const { recipe } = item.derived;
  if (item.kind !== 'trim') {
    const { widthPx, heightPx } = recipe.output;
    const parts = [
      recipe.frameIndex === null ? null : `frame ${recipe.frameIndex}`,
      widthPx === null || heightPx === null ? null : `${widthPx} × ${heightPx}`,
      recipe.source.fileName,
    ];
    return <span className={classes.rowNote}>{parts.filter(Boolean).join(' · ')}</span>;
  }
  const span = ({ from, to }: { from: number; to: number }) => `${from.toFixed(3)} to ${to.toFixed(3)} s`;
  return (
    <span className={classes.rowNote}>
      {recipe.source.fileName}: cut {span(recipe.actualS)}, asked {span(recipe.requestedS)}
    </span>
  );
}

function RowMenu({ item, place, canGo }: { item: MarkItem; place: RowPlace; canGo: boolean }) {
  const { review, caseId, otherCase } = place;
  const { fromMs, toMs } = item;
  const hasSpan = canGo && fromMs !== null && toMs !== null && fromMs < toMs;
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          size={26}
          aria-label={`More for ${kindName(item.kind).toLowerCase()} “${itemTitle(item)}”`}
        >
          <IconDotsVertical size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {'mark' in item && (
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => place.onEdit(true)}>
            Title, note, tags (F2)
          </Menu.Item>
        )}
        {item.kind === 'bookmark' && (
          <Menu.Item
            leftSection={<IconClockPin size={14} />}
            onClick={() => attempt('The bookmark was not moved', moveToNow(review, item.mark, 'from'))}
          >
            Move to now
          </Menu.Item>
        )}
        {item.kind === 'range' &&
          (['from', 'to'] as const).map((end) => (
            <Menu.Item
              key={end}
              leftSection={<IconClockPin size={14} />}
              onClick={() => attempt('The range was not changed', moveToNow(review, item.mark, end))}
            >
              {end === 'from' ? 'Begin now' : 'End now'}
            </Menu.Item>
          ))}
        {hasSpan && (
          <>
            <Menu.Item
              leftSection={<IconRepeat size={14} />}
              onClick={() => {
                review.clock.setLoop({ fromMs, toMs });
                review.clock.seek(fromMs);
              }}
            >
              Loop this range
            </Menu.Item>
            <Menu.Item
              leftSection={<IconStackPush size={14} />}
              onClick={() => review.store.setState({ inMs: fromMs, outMs: toMs })}
            >
              Take as in and out
            </Menu.Item>
          </>
        )}
        {caseId !== null && otherCase !== null && (
          <Menu.Item
            leftSection={<IconBriefcase size={14} />}
            onClick={() =>
              attempt(
                `${kindName(item.kind)} not put into the case`,
                'mark' in item
                  ? moveToCase(review, item.mark, caseId)
                  : addToCase(review, item.derived, caseId),
              )
            }
          >
            Put into the chosen case
          </Menu.Item>
        )}
        {'derived' in item && (
          <>
            <Menu.Item leftSection={<IconMaximize size={14} />} onClick={() => place.onShow('file')}>
              Open
            </Menu.Item>
            <Menu.Item
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadDerived(review, item.derived)}
            >
              Download
            </Menu.Item>
            {item.kind === 'trim' && (
              <Menu.Item
                leftSection={<IconTable size={14} />}
                onClick={() => void downloadTelemetry(review, item.derived)}
              >
                Download its telemetry (CSV)
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconFileDescription size={14} />}
              onClick={() => downloadRecipe(item.derived)}
            >
              Download its recipe (JSON)
            </Menu.Item>
            <Menu.Item leftSection={<IconInfoCircle size={14} />} onClick={() => place.onShow('details')}>
              How it was made
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => remove(review, item)}>
          Remove (Delete)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
