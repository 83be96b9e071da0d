import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useStore } from 'zustand';
import { ZoneProvider } from '../ui/index.ts';
import { HostProvider } from './client/index.ts';
import { Shell } from './shell/Shell.tsx';
import type { Stores } from './stores.ts';
import { theme } from './theme/theme.ts';
import { useColorScheme } from './theme/useColorScheme.ts';

/** The window: theme, zone and host around the shell. */
export function App({ stores }: { stores: Stores }) {
  const { settings } = useStore(stores.settings.store);
  const { screen } = useStore(stores.routes.store).route;
  const system = useColorScheme(settings.theme);
  // Video is judged on a dark ground, unless the user asked for light everywhere.
  const scheme = screen === 'review' && settings.theme === 'system' ? 'dark' : system;
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {/* In Review the corners hold marks, tools and charts: words pass by over the title's line. */}
      <Notifications
        position={screen === 'review' ? 'top-center' : 'bottom-right'}
        limit={screen === 'review' ? 2 : 4}
        containerWidth={screen === 'review' ? 480 : 380}
      />
      <HostProvider host={stores.host}>
        <ZoneProvider localZone={settings.localZone}>
          <Shell stores={stores} />
        </ZoneProvider>
      </HostProvider>
    </MantineProvider>
  );
}
