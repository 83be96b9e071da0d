import { Tooltip } from '@mantine/core';
import {
  IconBriefcase,
  IconCamera,
  IconCloud,
  IconPlayerPlay,
  IconRoute,
  IconSettings,
  IconShieldCheck,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import icon from '../icon.svg';
import type { Screen } from '../routes.ts';
import classes from './shell.module.css';

export interface RailItem {
  readonly screen: Screen;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
}

/** In this order, by Ctrl+1 and on. What does not work yet is not here. */
export const railItems: readonly RailItem[] = [
  { screen: 'library', label: 'Library', icon: IconRoute },
  { screen: 'cameras', label: 'Cameras', icon: IconCamera },
  { screen: 'review', label: 'Review', icon: IconPlayerPlay },
  { screen: 'cases', label: 'Cases', icon: IconBriefcase },
  { screen: 'verify', label: 'Verify', icon: IconShieldCheck },
  { screen: 'account', label: 'Account', icon: IconCloud },
  { screen: 'settings', label: 'Settings', icon: IconSettings },
];

export function Rail({ screen, hrefOf }: { screen: Screen; hrefOf: (screen: Screen) => string }) {
  return (
    <nav className={classes.rail} aria-label="Screens">
      <div className={classes.mark}>
        <img src={icon} alt="Evidence Desk" />
      </div>
      {railItems.map((item, index) => (
        <Tooltip key={item.screen} label={`${item.label} (Ctrl+${index + 1})`} position="right">
          <a
            className={`${classes.railLink} ${item.screen === 'settings' ? classes.railEnd : ''}`}
            href={hrefOf(item.screen)}
            aria-current={item.screen === screen ? 'page' : undefined}
            aria-keyshortcuts={`Control+${index + 1}`}
          >
            <item.icon size={20} stroke={1.6} />
            {item.label}
          </a>
        </Tooltip>
      ))}
    </nav>
  );
}
