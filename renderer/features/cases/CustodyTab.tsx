import { SegmentedControl } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconLink } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CaseFile, CustodyEntry } from '../../../shared/contract/cases.ts';
import { useClient } from '../../app/client/index.ts';
import {
  CopyButton,
  EmptyState,
  Failure,
  formatCount,
  formatInstant,
  Loading,
  Status,
  useZone,
  VirtualRows,
} from '../../ui/index.ts';
import classes from './cases.module.css';
import { refKey } from './candidates.ts';
import { custodySentence, type SentenceContext } from './custodySentence.ts';
import { createCustodyStore, type CustodyLog } from './custodyStore.ts';

/** Who did what when; each entry chained to the one before by its hash. */
export function CustodyTab({ file }: { file: CaseFile }) {
  const client = useClient();
  const [scope, setScope] = useState<'case' | 'all'>('case');
  const caseId = scope === 'case' ? file.caseId : null;
  const store = useMemo(() => createCustodyStore(client, caseId), [client, caseId]);
  useEffect(() => store.open(), [store]);
  const { log } = useStore(store.store);
  return (
    <div className={classes.fill}>
      <div className={classes.custodyHead}>
        {log.status === 'ready' ? <ChainState log={log.value} /> : <span />}
        <SegmentedControl
          aria-label="Which entries"
          value={scope}
          onChange={(value) => setScope(value === 'all' ? 'all' : 'case')}
          data={[
            { value: 'case', label: 'This case' },
            { value: 'all', label: 'Whole log' },
          ]}
        />
      </div>
      {log.status === 'loading' && <Loading label="Reading and checking the custody log" />}
      {log.status === 'failed' && <Failure error={log.error} onRetry={() => void store.refresh()} />}
      {log.status === 'ready' &&
        (log.value.entries.length === 0 ? (
          <EmptyState icon={IconLink} title="No entries" />
        ) : (
          <CustodyList entries={log.value.entries} file={file} />
        ))}
    </div>
  );
}

function ChainState({ log }: { log: CustodyLog }) {
  return log.isChainWhole ? (
    <span>
      <Status tone="ok">Chain whole</Status>{' '}
      <span className={classes.muted}>
        {formatCount(log.entries.length)} entries shown. In the whole log every hash matches its entry and the
        one before it.
      </span>
    </span>
  ) : (
    <span role="alert">
      <Status tone="bad">Chain broken</Status>{' '}
      <span>
        An entry of the log was changed or removed outside Evidence Desk. Keep the data folder as it is and
        restore a backup to compare.
      </span>
    </span>
  );
}

function CustodyList({ entries, file }: { entries: readonly CustodyEntry[]; file: CaseFile }) {
  const { zone } = useZone();
  const context = useMemo<SentenceContext>(() => {
    const titles = new Map(file.exhibitList.map(({ ref, title }) => [refKey(ref), title]));
    return {
      titleOf: (id) => titles.get(id),
      timeOf: (iso) => formatInstant(Date.parse(iso), zone),
    };
  }, [file, zone]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = (seq: number) => {
    const next = new Set(opened);
    if (!next.delete(seq)) next.add(seq);
    setOpened(next);
  };
  return (
    <VirtualRows
      className={classes.custody}
      label="Custody entries, oldest first"
      count={entries.length}
      estimatedHeight={32}
      keyOf={(index) => entries[index]?.seq ?? index}
      render={(index) => {
        const entry = entries[index];
        if (!entry) return null;
        const isOpen = opened.has(entry.seq);
        const raw = JSON.stringify(entry, null, 2);
        return (
          <div className={classes.custodyRow}>
            <button
              type="button"
              className={classes.custodyLine}
              aria-expanded={isOpen}
              onClick={() => toggle(entry.seq)}
            >
              {isOpen ? (
                <IconChevronDown size={14} aria-hidden />
              ) : (
                <IconChevronRight size={14} aria-hidden />
              )}
              <span className={classes.custodySeq}>#{entry.seq}</span>
              <span title={entry.at}>{formatInstant(Date.parse(entry.at), zone)}</span>
              <span>{custodySentence(entry, context)}</span>
              <span className={classes.custodyActor} title={entry.actor}>
                {entry.actor}
              </span>
            </button>
            {isOpen && (
              <div className={classes.custodyRaw}>
                <pre>{raw}</pre>
                <CopyButton text={raw} what="this entry" />
              </div>
            )}
          </div>
        );
      }}
    />
  );
}
