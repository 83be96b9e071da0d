import { IconFileImport } from '@tabler/icons-react';
import classes from './shell.module.css';

/** Covers the window while files are dragged over it and says what letting go will do. */
export function DropOverlay({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.drop} role="status">
      <div className={classes.dropCard}>
        <IconFileImport size={40} stroke={1.3} />
        <strong>{title}</strong>
        <span>{text}</span>
      </div>
    </div>
  );
}
