import { Menu } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import type { GLook } from './gShown.ts';
import classes from './charts.module.css';

const smoothings = [
  { ms: 0, label: 'Not smoothed' },
  { ms: 250, label: 'Mean of 0.25 s' },
  { ms: 500, label: 'Mean of 0.5 s' },
  { ms: 1000, label: 'Mean of 1 s' },
] as const;

/** How G is drawn, in words (`note`), and the choice of it. The samples stay as they are. */
export function GLookMenu({
  look,
  onLook,
  note,
}: {
  look: GLook;
  onLook: (look: GLook) => void;
  note: string;
}) {
  const tick = (isChosen: boolean) =>
    isChosen ? <IconCheck size={13} aria-hidden /> : <span className={classes.noTick} />;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <button type="button" className={classes.legendItem} aria-label={`How G is drawn: ${note}`}>
          {note}
          <IconChevronDown size={11} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Gravity (the camera's mounting with it)</Menu.Label>
        {[false, true].map((isGravityRemoved) => (
          <Menu.Item
            key={String(isGravityRemoved)}
            role="menuitemradio"
            aria-checked={look.isGravityRemoved === isGravityRemoved}
            leftSection={tick(look.isGravityRemoved === isGravityRemoved)}
            onClick={() => onLook({ ...look, isGravityRemoved })}
          >
            {isGravityRemoved ? 'Removed: median of each minute' : 'Included, as recorded'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Smoothing, of the picture only</Menu.Label>
        {smoothings.map(({ ms, label }) => (
          <Menu.Item
            key={ms}
            role="menuitemradio"
            aria-checked={look.smoothingMs === ms}
            leftSection={tick(look.smoothingMs === ms)}
            onClick={() => onLook({ ...look, smoothingMs: ms })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
