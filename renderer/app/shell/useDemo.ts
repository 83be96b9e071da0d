import { useState } from 'react';
import type { DemoAct } from '../../features/account/index.ts';
import { notifyDone, notifyFailure } from '../../ui/index.ts';
import type { Stores } from '../stores.ts';

/**
 * Starts the simulated fleet and leads to where it can be tried: an order of a GPS export, or (`cameras`) the cards of
 * its cameras.
 */
export function useDemo({ accounts, routes }: Stores, place: 'exports' | 'cameras' = 'exports'): DemoAct {
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    try {
      await accounts.startDemo();
      if (place === 'exports') routes.go({ screen: 'account', tab: 'exports' });
      notifyDone(
        'Demo fleet started',
        place === 'exports'
          ? 'Twenty simulated cameras on this computer. Order a GPS export: its trips come into the library.'
          : 'Twenty simulated cameras on this computer. Open a card and recall a clip: nothing is charged to anyone.',
      );
    } catch (error) {
      notifyFailure('The demo fleet did not start', error);
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, start: () => void start() };
}
