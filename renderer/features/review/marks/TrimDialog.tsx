import { Button, Group, Modal, Stack, Table } from '@mantine/core';
import { useStore } from 'zustand';
import { Failure, formatBytes, formatCount, formatCounted, Loading, Notice } from '../../../ui/index.ts';
import type { Review, TrimPart, TrimQuestion } from '../model.ts';
import classes from './marks.module.css';
import { Moment } from './Moment.tsx';
import { formatShift, type MomentZone } from './momentText.ts';

/** What would really be cut, before it is: asked and actual times, frames and size, clip by clip. */
export function TrimDialog({ review, zone }: { review: Review; zone: MomentZone }) {
  const question = useStore(review.marks, (state) => state.trimQuestion ?? null);
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.cancel()}
      title={question ? `Trim ${question.channelName}` : ''}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close without cutting' }}
    >
      {question && <Question question={question} zone={zone} />}
    </Modal>
  );
}

function Question({ question, zone }: { question: TrimQuestion; zone: MomentZone }) {
  const { parts } = question;
  const list = parts.status === 'ready' ? parts.value : [];
  const possible = list.filter(({ actual }) => actual !== null);
  return (
    <Stack gap="sm">
      <div>
        A cut without loss can only begin at a key frame, so it may begin earlier than asked. The original
        stays as it is; what the cut lacks of it is written in its recipe.
      </div>
      {list.length > 1 && (
        <Notice>
          The range runs over {formatCounted(list.length, 'clip')}: each gives a trim of its own, so that each
          can be traced to one original.
        </Notice>
      )}
      {parts.status === 'loading' && <Loading label="Looking for key frames" />}
      {parts.status === 'failed' && <Failure error={parts.error} isInline />}
      {parts.status === 'ready' && (
        <Table className={classes.trimTable ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Clip</Table.Th>
              <Table.Th>Asked</Table.Th>
              <Table.Th>Cut</Table.Th>
              <Table.Th ta="right">Frames</Table.Th>
              <Table.Th ta="right">Size, about</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.map((part) => (
              <Part key={part.clipId} part={part} zone={zone} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => question.cancel()}>
          Cancel
        </Button>
        <Button data-autofocus disabled={possible.length === 0} onClick={() => void question.confirm()}>
          {possible.length > 1 ? `Cut ${possible.length} trims` : 'Cut the trim'}
        </Button>
      </Group>
    </Stack>
  );
}

function Part({ part, zone }: { part: TrimPart; zone: MomentZone }) {
  const { fileName, askedS, actual, sceneMsOf } = part;
  const span = (fromS: number, toS: number) => (
    <>
      <div>
        <Moment ms={sceneMsOf(fromS)} zone={zone} /> to
      </div>
      <div>
        <Moment ms={sceneMsOf(toS)} zone={zone} />
      </div>
      <div className={classes.muted}>
        {fromS.toFixed(3)} to {toS.toFixed(3)} s of the clip
      </div>
    </>
  );
  return (
    <Table.Tr>
      <Table.Td className={classes.fileName ?? ''}>{fileName}</Table.Td>
      <Table.Td>{span(askedS.from, askedS.to)}</Table.Td>
      {actual ? (
        <>
          <Table.Td>
            {span(actual.fromS, actual.toS)}
            <div className={classes.muted}>
              begins {difference(actual.fromS - askedS.from)}, ends {difference(actual.toS - askedS.to)}
            </div>
          </Table.Td>
          <Table.Td ta="right">{formatCount(actual.frames)}</Table.Td>
          <Table.Td ta="right">{formatBytes(actual.approximateBytes)}</Table.Td>
        </>
      ) : (
        <Table.Td colSpan={3}>
          Can’t be cut: the clip has no readable index of its frames. Keep a range mark and add the whole clip
          to the case instead.
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** "0.400 s earlier", "as asked" */
function difference(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  if (ms === 0) return 'as asked';
  return `${formatShift(Math.abs(ms)).slice(1)} ${ms < 0 ? 'earlier' : 'later'}`;
}
