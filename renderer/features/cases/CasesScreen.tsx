import { Button } from '@mantine/core';
import { IconBriefcase, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CaseSummary } from '../../../shared/contract/cases.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { EmptyState, Failure, formatCounted, Loading, Time } from '../../ui/index.ts';
import { CaseView, type CaseLinks } from './CaseView.tsx';
import type { CaseStore } from './caseStore.ts';
import type { CaseTab } from './caseTabs.ts';
import classes from './cases.module.css';
import { NameDialog } from './NameDialog.tsx';

/** Cases on the left, the open one on the right. */
export function CasesScreen({
  store,
  caseId,
  tab,
  onOpen,
  links,
}: {
  store: CaseStore;
  caseId: CaseId | null;
  tab: CaseTab;
  onOpen: (caseId: CaseId | null, tab: CaseTab) => void;
  links: CaseLinks;
}) {
  const { list, open } = useStore(store.store);
  const [isNaming, setNaming] = useState(false);
  useEffect(() => {
    void store.open(caseId);
  }, [store, caseId]);
  const create = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setNaming(true)}>
      New case…
    </Button>
  );
  const isEmpty = list.status === 'ready' && list.value.length === 0;
  return (
    <div className={classes.screen}>
      <NameDialog
        isOpen={isNaming}
        title="New case"
        label="Name of the case"
        nameAtFirst=""
        confirmLabel="Create case"
        onClose={() => setNaming(false)}
        onConfirm={async (name) => {
          const file = await store.create(name);
          onOpen(file.caseId, 'exhibits');
        }}
      />
      {!isEmpty && (
        <aside className={classes.side} aria-label="Cases">
          <div className={classes.sideHead}>
            {create}
            {list.status === 'ready' && (
              <span className={classes.muted}>{formatCounted(list.value.length, 'case')}</span>
            )}
          </div>
          {list.status === 'loading' && <Loading label="Reading the cases" />}
          {list.status === 'failed' && (
            <Failure error={list.error} isInline onRetry={() => void store.refreshList()} />
          )}
          {list.status === 'ready' && (
            <div className={classes.sideList}>
              {list.value.map((one) => (
                <CaseLink
                  key={one.caseId}
                  summary={one}
                  isOpen={one.caseId === caseId}
                  onOpen={() => onOpen(one.caseId, 'exhibits')}
                />
              ))}
            </div>
          )}
        </aside>
      )}
      <div className={classes.main}>
        {isEmpty && (
          <EmptyState icon={IconBriefcase} title="No cases yet" actions={create}>
            A case gathers the trips, clips and source files of an incident with your notes, the time range
            that matters and the log of who did what. From it you seal an evidence package.
          </EmptyState>
        )}
        {!isEmpty && caseId === null && list.status === 'ready' && (
          <EmptyState icon={IconBriefcase} title="Choose a case">
            Open one from the list, or create a new one.
          </EmptyState>
        )}
        {caseId !== null && open !== null && open.file.status === 'loading' && (
          <Loading label="Opening the case" />
        )}
        {caseId !== null && open !== null && open.file.status === 'failed' && (
          <Failure
            error={open.file.error}
            meaning="The case can’t be shown. It may have been removed in another window."
            onRetry={() => void store.refreshOpen()}
          />
        )}
        {caseId !== null && open !== null && open.file.status === 'ready' && (
          <CaseView
            key={open.caseId}
            store={store}
            file={open.file.value}
            tab={tab}
            onTab={(next) => onOpen(caseId, next)}
            onRemoved={() => onOpen(null, 'exhibits')}
            links={links}
          />
        )}
      </div>
    </div>
  );
}

function CaseLink({
  summary,
  isOpen,
  onOpen,
}: {
  summary: CaseSummary;
  isOpen: boolean;
  onOpen: () => void;
}) {
  return (
    <button
      type="button"
      className={classes.caseLink}
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className={classes.caseLinkName}>{summary.name}</span>
      <span className={classes.caseLinkFacts}>
        {formatCounted(summary.exhibits, 'exhibit')} · {formatCounted(summary.notes, 'note')}
        {summary.packages > 0 && <> · {formatCounted(summary.packages, 'package')}</>}
      </span>
      <span className={classes.caseLinkFacts}>
        created <Time utcMs={summary.createdAtMs} style="minute" />
      </span>
    </button>
  );
}
