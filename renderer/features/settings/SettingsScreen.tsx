import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Failure, Loading } from '../../ui/index.ts';
import { AboutSection, CacheSection, SealSection } from './FactSections.tsx';
import { InvestigatorSection } from './InvestigatorSection.tsx';
import { LookSection } from './LookSection.tsx';
import { MapSection } from './MapSection.tsx';
import classes from './settings.module.css';
import type { SettingsStore } from './settingsStore.ts';

/** What can be set, and what is to know of seal, data folder and versions. Changes are kept at once. */
export function SettingsScreen({ store }: { store: SettingsStore }) {
  const { settings, isLoaded, info, basemap, needsReload, error } = useStore(store.store);
  // The seal, the size of the cache: not told by events, so read on every visit.
  useEffect(() => void store.refresh(), [store]);
  if (!isLoaded) {
    return error === null ? (
      <Loading label="Reading the settings" />
    ) : (
      <Failure error={error} onRetry={() => void store.refresh()} />
    );
  }
  return (
    <div className={classes.screen}>
      <div className={classes.column}>
        <InvestigatorSection settings={settings} onChange={store.update} />
        <LookSection settings={settings} onChange={store.update} />
        <MapSection
          settings={settings}
          basemap={basemap}
          needsReload={needsReload}
          onChange={store.update}
          onPick={store.setBasemap}
          onClear={store.clearBasemap}
        />
      </div>
      <div className={classes.column}>
        {info && <SealSection info={info} />}
        {info && <CacheSection info={info} />}
        {info && <AboutSection info={info} />}
        {error !== null && <Failure error={error} isInline onRetry={() => void store.refresh()} />}
      </div>
    </div>
  );
}
