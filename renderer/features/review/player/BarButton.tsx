import { Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './transport.module.css';

/** A button of the transport: an icon, a short text, or both where there is room (`hasWord`). */
export function BarButton({
  label,
  keys,
  onClick,
  isOn,
  isMain = false,
  text,
  hasWord = false,
  children,
}: {
  label: string;
  /** For the tooltip. */
  keys: string;
  onClick: () => void;
  isOn?: boolean;
  isMain?: boolean;
  text?: string;
  /** The text is the key beside an icon, drawn as one. */
  hasWord?: boolean;
  children?: ReactNode;
}) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <UnstyledButton
        className={classes.button}
        data-main={isMain}
        data-on={isOn === true}
        aria-label={label}
        aria-pressed={isOn}
        onClick={onClick}
      >
        {children}
        {text !== undefined && (hasWord ? <kbd className={classes.key}>{text}</kbd> : <span>{text}</span>)}
      </UnstyledButton>
    </Tooltip>
  );
}
