import { Button, Group, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Mark } from '../../../../shared/contract/marks.ts';
import { Failure } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { editWords } from './markEdits.ts';
import classes from './marks.module.css';

const longestTag = 60;
const mostTags = 50;

/**
 * Title, note and tags of a mark. Each is saved when its field is left; Escape brings back what was saved, and closes
 * where nothing was typed. A save that fails keeps what was typed, and says why.
 */
export function WordsForm({
  review,
  mark,
  knownTags,
  onClose,
}: {
  review: Review;
  mark: Mark;
  knownTags: readonly string[];
  onClose: () => void;
}) {
  const [title, setTitle] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [tags, setTags] = useState<readonly string[] | null>(null);
  /** Texts on their way: leaving the field and closing the form both save, and must not do it twice. */
  const sending = useRef<{ title: string | null; note: string | null }>({ title: null, note: null });
  const save = async (patch: Parameters<typeof editWords>[2], saved: () => void) => {
    try {
      await editWords(review, mark, patch);
      setError(null);
      saved();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const saveTitle = () => {
    const next = title?.trim();
    if (next === undefined || next === mark.title) return setTitle(null);
    if (sending.current.title === next) return;
    sending.current.title = next;
    void save({ title: next }, () => setTitle((now) => (now?.trim() === next ? null : now))).finally(
      () => (sending.current.title = null),
    );
  };
  const saveNote = () => {
    if (note === null || note === mark.note) return setNote(null);
    if (sending.current.note === note) return;
    sending.current.note = note;
    void save({ note }, () => setNote((now) => (now === note ? null : now))).finally(
      () => (sending.current.note = null),
    );
  };
  const saveTags = (typed: readonly string[]) => {
    const next = [...new Set(typed.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
    setTags(next);
    void save({ tags: next }, () => setTags((now) => (now === next ? null : now)));
  };
  // A row that goes away under the cursor (another screen, another filter) hears no blur: save all the same.
  const atEnd = useRef<() => void>(() => undefined);
  useEffect(() => {
    atEnd.current = () => {
      saveTitle();
      saveNote();
    };
  });
  useEffect(() => () => atEnd.current(), []);
  const restore = (event: KeyboardEvent, isTyped: boolean, back: () => void) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (isTyped) back();
    else onClose();
  };
  return (
    <div className={classes.form}>
      <TextInput
        aria-label="Title"
        placeholder="Title"
        maxLength={200}
        autoFocus
        value={title ?? mark.title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onBlur={saveTitle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') saveTitle();
          restore(event, title !== null && title !== mark.title, () => setTitle(null));
        }}
      />
      <Textarea
        aria-label="Note"
        placeholder="Note: what is seen here"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={100_000}
        value={note ?? mark.note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={saveNote}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) saveNote();
          restore(event, note !== null && note !== mark.note, () => setNote(null));
        }}
      />
      <TagsInput
        size="xs"
        aria-label="Tags"
        placeholder={(tags ?? mark.tags).length === 0 ? 'Tags: type one, then Enter' : ''}
        data={[...knownTags]}
        maxTags={mostTags}
        maxLength={longestTag}
        acceptValueOnBlur
        value={[...(tags ?? mark.tags)]}
        onChange={saveTags}
        onKeyDown={(event) => restore(event, event.currentTarget.value !== '', () => undefined)}
      />
      {error !== null && (
        <Failure error={error} isInline meaning="What you typed is still here and was not saved." />
      )}
      <Group gap="xs">
        <Button variant="default" size="compact-xs" onClick={onClose}>
          Done
        </Button>
        <span className={classes.muted}>Saved when a field is left. Esc restores.</span>
      </Group>
    </div>
  );
}
