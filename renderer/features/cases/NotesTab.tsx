import { ActionIcon, Button, Group, Textarea, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CaseFile, Note } from '../../../shared/contract/cases.ts';
import { ConfirmDialog, Failure, Section, Time } from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';
import classes from './cases.module.css';

const longest = 100_000;

/** What the investigator writes down. */
export function NotesTab({ store, file }: { store: CaseStore; file: CaseFile }) {
  const [editing, setEditing] = useState<Note | null>(null);
  const [removing, setRemoving] = useState<Note | null>(null);
  return (
    <div className={classes.stack}>
      <Section
        title="New note"
        note="Notes go into the package as written. The custody log records that a note changed, not its text."
      >
        <NoteForm
          key={`new ${file.noteList.length}`}
          label="Text of the new note"
          textAtFirst=""
          confirmLabel="Add note"
          onSave={(text) => store.addNote(file.caseId, text)}
        />
      </Section>
      {file.noteList.length > 0 && (
        <Section title="Notes" isFlush>
          {file.noteList.map((note) => (
            <article key={note.noteId} className={classes.note}>
              <div className={classes.noteHead}>
                <span>
                  <Time utcMs={note.writtenAtMs} />
                  {note.editedAtMs !== null && (
                    <>
                      {' · edited '}
                      <Time utcMs={note.editedAtMs} />
                    </>
                  )}
                </span>
                <span>
                  <Tooltip label="Edit">
                    <ActionIcon size={24} aria-label="Edit this note" onClick={() => setEditing(note)}>
                      <IconPencil size={15} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Remove">
                    <ActionIcon size={24} aria-label="Remove this note" onClick={() => setRemoving(note)}>
                      <IconTrash size={15} />
                    </ActionIcon>
                  </Tooltip>
                </span>
              </div>
              {editing?.noteId === note.noteId ? (
                <NoteForm
                  label="Text of the note"
                  textAtFirst={note.text}
                  confirmLabel="Save note"
                  onCancel={() => setEditing(null)}
                  onSave={async (text) => {
                    await store.editNote(file.caseId, note.noteId, text);
                    setEditing(null);
                  }}
                />
              ) : (
                <div className={classes.noteText}>{note.text}</div>
              )}
            </article>
          ))}
        </Section>
      )}
      <ConfirmDialog
        isOpen={removing !== null}
        title="Remove this note?"
        confirmLabel="Remove note"
        onClose={() => setRemoving(null)}
        onConfirm={async () => {
          if (removing) await store.removeNote(file.caseId, removing.noteId);
        }}
      >
        The note’s text will be gone. The custody log keeps that a note was written and removed, with the hash
        of its text.
      </ConfirmDialog>
    </div>
  );
}

function NoteForm({
  label,
  textAtFirst,
  confirmLabel,
  onSave,
  onCancel,
}: {
  label: string;
  textAtFirst: string;
  confirmLabel: string;
  onSave: (text: string) => Promise<unknown>;
  onCancel?: () => void;
}) {
  const [text, setText] = useState(textAtFirst);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const canSave = text.trim() !== '' && text.trim() !== textAtFirst;
  const save = async () => {
    if (!canSave) return;
    setState({ isBusy: true, error: null });
    try {
      await onSave(text.trim());
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Textarea
        aria-label={label}
        placeholder="What was seen, said or decided"
        autosize
        minRows={3}
        maxRows={16}
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          if (event.key === 'Escape') onCancel?.();
        }}
      />
      {state.error !== null && <Failure error={state.error} isInline />}
      <Group gap="xs" mt={6}>
        <Button type="submit" disabled={!canSave} loading={state.isBusy}>
          {confirmLabel}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <span className={classes.muted}>Ctrl+Enter</span>
      </Group>
    </form>
  );
}
