import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../ui/index.ts';
import classes from './settings.module.css';

/** A line of text that is kept on Enter or on its button; empty is null. */
export function TextSetting({
  label,
  description,
  placeholder,
  value,
  maxLength,
  problemOf,
  onSave,
}: {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | null;
  maxLength: number;
  /** What is wrong with a text that can't be kept, in words; null when nothing is. */
  problemOf?: (text: string) => string | null;
  onSave: (value: string | null) => Promise<void>;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const kept = value ?? '';
  const text = draft ?? kept;
  const isChanged = text.trim() !== kept;
  const problem = isChanged && text.trim() !== '' ? (problemOf?.(text.trim()) ?? null) : null;
  const save = async () => {
    if (!isChanged || problem !== null) return;
    setState({ isBusy: true, error: null });
    try {
      await onSave(text.trim() === '' ? null : text.trim());
      setDraft(null);
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
      <TextInput
        label={label}
        description={description}
        placeholder={placeholder}
        value={text}
        maxLength={maxLength}
        error={problem ?? undefined}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        inputContainer={(input) => (
          <div className={classes.textSetting}>
            <div className={classes.textInput}>{input}</div>
            <Button
              type="submit"
              variant={isChanged ? 'filled' : 'default'}
              disabled={!isChanged || problem !== null}
              loading={state.isBusy}
            >
              Save
            </Button>
          </div>
        )}
      />
      {state.error !== null && <Failure error={state.error} isInline />}
    </form>
  );
}
