// An ambient declaration can only be named so, for those who compile this file from elsewhere (the tests).
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./tz-lookup.d.ts" />
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import { isAroundTheWorld } from '../map/bounds.ts';
import { useZone } from '../../ui/index.ts';
import type { ZoneKind } from '../timeline/clock.ts';
import type { LibraryStore } from './libraryStore.ts';

export interface LibraryZone {
  readonly kind: ZoneKind;
  setKind(kind: ZoneKind): void;
  /** IANA zone of the timeline's axis. */
  readonly zone: string;
  readonly localZone: string;
  /** How many zones the chosen trips drove in; more than one is said beside the axis. */
  readonly vehicleZones: readonly string[];
  /** Zone that a trip's times are shown in. */
  readonly zoneOfTrip: (trip: Trip) => string;
}

type Lookup = (latDeg: number, lngDeg: number) => string;

/** The middle of a trip's box, over the 180th meridian where it crosses it. */
function middleOf({ bbox }: Trip): [number, number] {
  const [west, south, east, north] = bbox;
  if (isAroundTheWorld(bbox)) return [(south + north) / 2, 180];
  const right = east < west ? east + 360 : east;
  const lng = (west + right) / 2;
  return [(south + north) / 2, lng > 180 ? lng - 360 : lng];
}

const noTrips: ReadonlySet<TripId> = new Set();

/** UTC, the investigator's zone (both shared with the rest of the app) or the vehicle's own, found by position. */
export function useLibraryZone(store: LibraryStore): LibraryZone {
  const shared = useZone();
  const [isVehicle, setVehicle] = useState(false);
  const [lookup, setLookup] = useState<Lookup | null>(null);
  // Only the vehicles' zones hang on the selection: without them the screen need not be drawn anew with it.
  const selection = useStore(store, (state) => (isVehicle ? state.selection.ids : noTrips));
  const content = useStore(store, (state) => state.content);

  useEffect(() => {
    if (!isVehicle || lookup) return;
    let isWanted = true;
    // 70 kB of zone borders: loaded when somebody asks for them.
    void import('tz-lookup').then((module) => {
      if (isWanted) setLookup(() => module.default);
    });
    return () => {
      isWanted = false;
    };
  }, [isVehicle, lookup]);

  return useMemo(() => {
    const fallback = shared.zone;
    const known = new Map<string, string>();
    const vehicleZone = (trip: Trip): string => {
      if (!lookup) return fallback;
      let zone = known.get(trip.tripId);
      if (zone === undefined) {
        zone = lookup(...middleOf(trip));
        known.set(trip.tripId, zone);
      }
      return zone;
    };
    const vehicleZones = new Set<string>();
    if (isVehicle && lookup && content.status === 'ready') {
      for (const id of selection) {
        const trip = content.value.tripById.get(id);
        if (trip) vehicleZones.add(vehicleZone(trip));
      }
    }
    const zones = [...vehicleZones];
    return {
      kind: isVehicle ? 'vehicle' : shared.mode,
      setKind(kind: ZoneKind) {
        setVehicle(kind === 'vehicle');
        if (kind !== 'vehicle') shared.setMode(kind);
      },
      zone: isVehicle ? (zones[0] ?? fallback) : shared.zone,
      localZone: shared.localZone,
      vehicleZones: zones,
      zoneOfTrip: isVehicle ? vehicleZone : () => shared.zone,
    };
  }, [shared, isVehicle, lookup, selection, content]);
}
