import { useState } from 'react';
import type { DemoAct } from '../../features/account/index.ts';
import { notifyDone, notifyFailure } from '../../ui/index.ts';
import type { Stores } from '../stores.ts';

/** Starts the simulated fleet and leads to where it can be tried: an order of a GPS export. */
export function useDemo({ accounts, routes }: Stores): DemoAct {
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    try {
      await accounts.startDemo();
      routes.go({ screen: 'account', tab: 'exports' });
      notifyDone(
        'Demo fleet started',
        'Twenty simulated cameras on this computer. Order a GPS export: its trips come into the library.',
      );
    } catch (error) {
      notifyFailure('The demo fleet did not start', error);
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, start: () => void start() };
}
