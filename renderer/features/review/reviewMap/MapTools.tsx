import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import {
  IconCurrentLocation,
  IconFocusCentered,
  IconListDetails,
  IconRulerMeasure,
  IconTimeline,
} from '@tabler/icons-react';
import { forwardRef, type ComponentType, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ReviewMapStore } from './mapStore.ts';
import classes from './reviewMap.module.css';

/** What can be done with the map. `legend` is null where nothing is drawn that needs one. */
export function MapTools({
  store,
  onFit,
  legend,
}: {
  store: ReviewMapStore;
  onFit: () => void;
  legend: ReactNode;
}) {
  const tool = useStore(store, (state) => state.tool);
  const isFollowing = useStore(store, (state) => state.isFollowing);
  const toggle = (wanted: 'distance' | 'passage') => store.setTool(tool === wanted ? 'none' : wanted);
  return (
    <div className={classes.tools} role="toolbar" aria-label="Map tools" aria-orientation="vertical">
      {legend !== null && (
        <Popover position="left-start" shadow="md" width={280} trapFocus returnFocus>
          <Popover.Target>
            <MapTool label="Legend and tracks" icon={IconListDetails} />
          </Popover.Target>
          <Popover.Dropdown>{legend}</Popover.Dropdown>
        </Popover>
      )}
      <MapTool
        label="Keep the vehicle in sight"
        icon={IconCurrentLocation}
        isOn={isFollowing}
        onClick={() => store.setState({ isFollowing: !isFollowing })}
      />
      <MapTool label="Fit the map to what is drawn" icon={IconFocusCentered} onClick={onFit} />
      <MapTool
        label="Measure a distance"
        icon={IconRulerMeasure}
        isOn={tool === 'distance'}
        onClick={() => toggle('distance')}
      />
      <MapTool
        label="Time of passage: who passed a point, and when"
        icon={IconTimeline}
        isOn={tool === 'passage'}
        onClick={() => toggle('passage')}
      />
    </div>
  );
}

interface MapToolProps {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  /** Left out for what is no switch. */
  readonly isOn?: boolean;
  readonly onClick?: () => void;
  /** From the popover that it opens. */
  readonly 'aria-expanded'?: boolean;
}

/** A popover hands its target a ref and attributes of its own. */
const MapTool = forwardRef<HTMLButtonElement, MapToolProps>(function MapTool(
  { label, icon: Icon, isOn, ...others },
  ref,
) {
  return (
    <Tooltip label={label} position="left" disabled={others['aria-expanded'] === true}>
      <ActionIcon
        ref={ref}
        variant={isOn ? 'filled' : 'default'}
        color="accent"
        aria-label={label}
        aria-pressed={isOn}
        {...others}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
});
