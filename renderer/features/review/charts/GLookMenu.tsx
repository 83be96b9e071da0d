import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { GLook } from './gShown.ts';
import classes from './charts.module.css';

const smoothings = [
  { value: '0', label: 'Not smoothed' },
  { value: '250', label: 'Mean of 0.25 s' },
  { value: '500', label: 'Mean of 0.5 s' },
  { value: '1000', label: 'Mean of 1 s' },
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
  return (
    <Menu position="bottom-end" width={270}>
      <Menu.Target>
        <button type="button" className={classes.legendItem} aria-label={`How G is drawn: ${note}`}>
          {note}
          <IconChevronDown size={11} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Gravity, and how the camera is mounted</Menu.Label>
        <Menu.RadioGroup
          value={look.isGravityRemoved ? 'removed' : 'included'}
          onChange={(value) => onLook({ ...look, isGravityRemoved: value === 'removed' })}
        >
          <Menu.RadioItem value="included">Included, as recorded</Menu.RadioItem>
          <Menu.RadioItem value="removed">Removed (each minute’s median)</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Smoothing, of the picture only</Menu.Label>
        <Menu.RadioGroup
          value={String(look.smoothingMs)}
          onChange={(value) => onLook({ ...look, smoothingMs: Number(value) })}
        >
          {smoothings.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
