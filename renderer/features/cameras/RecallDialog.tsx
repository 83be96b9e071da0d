import { Button, Checkbox, Modal, Select, Textarea } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type { RecallPrice } from '../../../shared/contract/recalls.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { Failure, formatCounted, Loading, Notice, notifyDone, Status } from '../../ui/index.ts';
import { AsOf } from '../account/AsOf.tsx';
import { problemError } from '../account/problemError.ts';
import type { CaseStore } from '../library/caseStore.ts';
import classes from './cameras.module.css';
import { PriceColumn } from './PriceColumn.tsx';
import type { ClipChoice, RecallStore } from './recallStore.ts';
import { deadlines } from './recallWords.ts';
import { transferText } from './words.ts';

/** A file that may be recalled, as the dialogue lists it. */
export interface RecallItem extends ClipChoice {
  readonly label: string;
}

/** The most that the core prices and queues at once. */
const mostItems = 500;
/** So many are listed one by one. */
const mostShown = 60;

/** The latest answer and the question that it answers. */
interface Priced {
  readonly key: string;
  /** Of this question or, while it is still worked out, of the one before. */
  readonly price: RecallPrice | null;
  readonly error: unknown;
}

/**
 * What fetching clips costs, in both qualities side by side, before anything is asked of a camera. `lookedAt` is how
 * many of them have thumbnail and GPS here already: the free first step.
 */
export function RecallDialog({
  items,
  camera,
  store,
  cases,
  lookedAt,
  onLook,
  onClose,
  onStarted,
}: {
  /** Null: closed. */
  items: readonly RecallItem[] | null;
  camera: string;
  store: RecallStore;
  cases: CaseStore;
  lookedAt: number;
  onLook: () => void;
  onClose: () => void;
  onStarted: () => void;
}) {
  return (
    <Modal
      opened={items !== null}
      onClose={onClose}
      size={820}
      title={
        items === null
          ? ''
          : items.length === 1
            ? `Recall a clip of ${camera}`
            : `Recall ${formatCounted(items.length, 'clip')} of ${camera}`
      }
    >
      {items !== null && (
        <RecallForm
          // Another choice of clips is another question.
          key={items.map(({ filename }) => filename).join('\n')}
          items={items}
          store={store}
          cases={cases}
          lookedAt={lookedAt}
          onLook={onLook}
          onClose={onClose}
          onStarted={onStarted}
        />
      )}
    </Modal>
  );
}

function RecallForm({
  items,
  store,
  cases,
  lookedAt,
  onLook,
  onClose,
  onStarted,
}: {
  items: readonly RecallItem[];
  store: RecallStore;
  cases: CaseStore;
  lookedAt: number;
  onLook: () => void;
  onClose: () => void;
  onStarted: () => void;
}) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [priced, setPriced] = useState<Priced>({ key: '', price: null, error: null });
  const [reason, setReason] = useState('');
  const [deadline, setDeadline] = useState<string>(deadlines[0].value);
  const [caseId, setCaseId] = useState<string | null>(null);
  const known = useStore(cases, (state) => state.cases);
  const list = known.status === 'ready' ? known.value : [];
  const [starting, setStarting] = useState<ClipQuality | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [asked, setAsked] = useState(0);
  const lastAsked = useRef(-1);
  const chosen = items.filter(({ filename }) => !left.has(filename));
  const names = chosen.map(({ filename }) => filename).join('\n');
  const key = `${asked}\n${names}`;

  useEffect(() => {
    if (names === '' || chosen.length > mostItems) return;
    let isCurrent = true;
    // The allowance is asked anew when the dialogue opens and when the user says so, not at each tick of a box.
    const isFresh = lastAsked.current !== asked;
    lastAsked.current = asked;
    store.price(chosen, isFresh).then(
      (answer) => isCurrent && setPriced({ key, price: answer, error: null }),
      (thrown: unknown) => isCurrent && setPriced({ key, price: null, error: thrown }),
    );
    return () => {
      isCurrent = false;
    };
    // `chosen`, `names` and `asked` are told by `key`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, store]);

  const start = async (quality: ClipQuality) => {
    setStarting(quality);
    setError(null);
    const { seconds } = deadlines.find(({ value }) => value === deadline) ?? deadlines[0];
    try {
      const recalls = await store.begin(chosen, quality, {
        ...(seconds === null ? {} : { deadlineSeconds: seconds }),
        ...(caseId === null ? {} : { caseId: caseId as CaseId }), // of the list below
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      });
      const held = recalls.filter(({ state }) => state.status === 'done').length;
      notifyDone(
        held === recalls.length ? 'Here already' : 'Recall queued',
        `${formatCounted(recalls.length, 'clip')}${held > 0 && held < recalls.length ? `, ${held} of them here already` : ''}.`,
      );
      onStarted();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setStarting(null);
    }
  };

  const { price } = priced;
  const isPricing = priced.key !== key;
  const prices = new Map(price?.items.map((one) => [one.filename, one]));
  const isTooMany = chosen.length > mostItems;
  const isReasonNeeded = price !== null && (price.sub.level === 'red' || price.main.level === 'red');
  return (
    <div className={classes.recallForm}>
      <div className={classes.ladder} aria-label="From cheap to dear">
        <span>
          <strong>1</strong> Thumbnail and GPS: nothing is charged
          {lookedAt >= items.length ? (
            <Status tone="ok">here</Status>
          ) : (
            <Button variant="default" size="compact-xs" onClick={onLook}>
              Look first
            </Button>
          )}
        </span>
        <span>
          <strong>2</strong> Low: a few % of the bytes
        </span>
        <span>
          <strong>3</strong> Full: once low shows the right clip
        </span>
      </div>
      {items.length > 1 && (
        <div className={classes.itemList} role="group" aria-label="Clips to recall">
          {items.slice(0, mostShown).map((item) => {
            const own = prices.get(item.filename);
            return (
              <Checkbox
                key={item.filename}
                label={
                  <>
                    {item.label}
                    {own && (
                      <span className={classes.muted}>
                        {' '}
                        low {own.sub.heldSha256 ? 'here' : transferText(own.sub.sizeBytes)} · full{' '}
                        {own.main.heldSha256 ? 'here' : transferText(own.main.sizeBytes)}
                      </span>
                    )}
                  </>
                }
                checked={!left.has(item.filename)}
                onChange={(event) => {
                  const next = new Set(left);
                  if (event.currentTarget.checked) next.delete(item.filename);
                  else next.add(item.filename);
                  setLeft(next);
                }}
              />
            );
          })}
          {items.length > mostShown && (
            <div className={classes.muted}>and {items.length - mostShown} more, all of them included</div>
          )}
        </div>
      )}
      {isTooMany && (
        <Notice tone="warn">
          {chosen.length} clips are chosen; at most {mostItems} can be recalled at once. Choose fewer in the
          list.
        </Notice>
      )}
      {names === '' && <Notice>No clip is chosen.</Notice>}
      {priced.error !== null && !isPricing && (
        <Failure
          error={priced.error}
          isInline
          meaning="Without a price nothing is recalled."
          onRetry={() => setAsked(asked + 1)}
        />
      )}
      {price === null && isPricing && !isTooMany && names !== '' && <Loading label="Working out the price" />}
      {price !== null && names !== '' && !isTooMany && (
        <>
          <div className={classes.budgetLine}>
            <span>
              This month’s video transfer:{' '}
              {price.budget.leftBytes === null || price.budget.limitBytes === null ? (
                <strong>not known</strong>
              ) : (
                <>
                  <strong>{transferText(price.budget.leftBytes)} left</strong> of{' '}
                  {transferText(price.budget.limitBytes)}
                </>
              )}
              {price.budget.reservedBytes > 0 &&
                `, ${transferText(price.budget.reservedBytes)} wait in the queue`}
              ; resets in {formatCounted(price.budget.daysToReset, 'day')}.
            </span>
            <span className={classes.muted}>
              <AsOf atMs={price.budget.fetchedAtMs} />{' '}
              <Button
                variant="subtle"
                size="compact-xs"
                loading={isPricing}
                onClick={() => setAsked(asked + 1)}
              >
                Ask again
              </Button>
            </span>
          </div>
          {price.budget.problem !== null && (
            <Failure
              error={problemError(price.budget.problem)}
              isInline
              meaning="The allowance below is older than it could be."
            />
          )}
          <div className={classes.columns}>
            {(['sub', 'main'] as const).map((quality) => (
              <PriceColumn
                key={quality}
                quality={quality}
                sum={price[quality]}
                prices={price.items.map((item) => item[quality])}
                isReasonGiven={reason.trim() !== ''}
                isBusy={starting === quality}
                isOff={starting !== null || isPricing}
                onStart={() => void start(quality)}
              />
            ))}
          </div>
          {isReasonNeeded && (
            <Textarea
              label="Reason for a red price"
              description="Kept in the chain of custody with your name."
              required
              autosize
              minRows={2}
              maxLength={2000}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </>
      )}
      {error !== null && <Failure error={error} isInline />}
      <div className={classes.recallFoot}>
        <Select
          label="Wait for a busy or offline camera"
          allowDeselect={false}
          data={deadlines.map(({ value, label }) => ({ value, label }))}
          value={deadline}
          onChange={(value) => setDeadline(value ?? deadlines[0].value)}
          style={{ width: 235 }}
        />
        {list.length > 0 && (
          <Select
            label="Put into a case when it is here"
            placeholder="No case"
            clearable
            searchable
            data={list.map((one) => ({ value: one.caseId, label: one.name }))}
            value={caseId}
            onChange={setCaseId}
            style={{ width: 200 }}
          />
        )}
        <span className={classes.muted}>
          <IconDownload size={13} aria-hidden /> The clip comes while the camera still sends, and survives a
          lost network and a closed lid. 1 GB is 2^30 bytes, as the service counts.
        </span>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
