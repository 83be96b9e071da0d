import { useComputedColorScheme } from '@mantine/core';
import { cameraColor } from '../map/colors.ts';
import classes from './library.module.css';

/** A camera's colour with its number: the number tells cameras apart where the colour can't. */
export function CameraMark({ index }: { index: number }) {
  const scheme = useComputedColorScheme('light');
  return (
    <span className={classes.cameraMark} style={{ backgroundColor: cameraColor(index, scheme) }} aria-hidden>
      {index < 0 ? '?' : index + 1}
    </span>
  );
}
