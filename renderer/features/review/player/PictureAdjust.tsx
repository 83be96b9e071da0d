import { ActionIcon, Button, Group, Popover, Slider, Tooltip } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import type { PictureLook } from './pictureLook.ts';
import classes from './player.module.css';

/** Brightness and contrast for night clips: on screen only. */
export function PictureAdjust({
  look,
  onLook,
  name,
}: {
  look: PictureLook;
  onLook: (look: PictureLook) => void;
  name: string;
}) {
  const isOn = look.brightness !== 1 || look.contrast !== 1;
  return (
    <Popover position="bottom-end" shadow="md" trapFocus width={240}>
      <Popover.Target>
        <Tooltip label="Brightness and contrast, on screen only">
          <ActionIcon
            size={22}
            variant={isOn ? 'light' : 'subtle'}
            color={isOn ? 'accent' : 'gray'}
            aria-label={`Brightness and contrast of ${name}`}
          >
            <IconAdjustments size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.adjust}>
          <Level
            label="Brightness"
            value={look.brightness}
            most={4}
            onChange={(brightness) => onLook({ ...look, brightness })}
          />
          <Level
            label="Contrast"
            value={look.contrast}
            most={3}
            onChange={(contrast) => onLook({ ...look, contrast })}
          />
          <Group justify="space-between" wrap="nowrap">
            <span className={classes.hint}>On screen only: stills and trims stay as recorded.</span>
            <Button
              variant="default"
              size="compact-xs"
              flex="none"
              disabled={!isOn}
              onClick={() => onLook({ ...look, brightness: 1, contrast: 1 })}
            >
              Reset
            </Button>
          </Group>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function Level({
  label,
  value,
  most,
  onChange,
}: {
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}) {
  return (
    <div>
      <div className={classes.levelHead}>
        <span>{label}</span>
        <span>{Math.round(value * 100)} %</span>
      </div>
      <Slider
        size="sm"
        min={0.3}
        max={most}
        step={0.05}
        value={value}
        label={null}
        thumbLabel={label}
        onChange={onChange}
        onDoubleClick={() => onChange(1)}
      />
    </div>
  );
}
