import { createContext } from 'react';
import type { Settings } from '../../../../shared/contract/app.ts';

/** The user's tile server, where one is set and this page may ask it; by default nothing asks the network. */
export const GroundContext = createContext<Pick<Settings, 'onlineTileUrl' | 'onlineTileAttribution'>>({
  onlineTileUrl: null,
  onlineTileAttribution: null,
});
