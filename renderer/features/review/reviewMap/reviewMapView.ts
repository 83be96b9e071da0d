import type L from 'leaflet';
import type { TrackLines } from '../../../../shared/contract/trips.ts';
import type { TripId } from '../../../../shared/ids.ts';
import { boxOfLine, unionBbox } from '../../map/bounds.ts';
import type { Scheme } from '../../map/colors.ts';
import { attachMap, type LinePick, type MapView } from '../../map/mapView.ts';
import type { MapMark } from '../../map/marks.ts';
import { wrapLngDeg } from '../../map/projection.ts';
import { marksForChart } from '../marks/markItems.ts';
import type { Review, SceneTelemetry } from '../model.ts';
import { attachMarkLayer, placeMarks } from './markLayer.ts';
import { attachMeasureLine } from './measureLine.ts';
import { attachLineLayer } from './lineLayer.ts';
import type { MapReading, ReviewMapStore } from './mapStore.ts';
import { ownPlaceAt, readSample } from './ownPlace.ts';
import { cropLines, toTrail, trailId, vehiclesAt, type Trail } from './positions.ts';
import { attachVehicleMarker } from './vehicleMarker.ts';
import { ownVehicles, vehicleByTrip, vehiclesOf, type Vehicle } from './vehicles.ts';

/** Tracks are drawn this much beyond the scene, to show where they came from and went. */
const aroundMs = 120_000;
/** A clip is a hundred metres: closer than a trip is looked at. */
const closestFit = 19;
/** The vehicle is kept out of this share of the map at each edge; less than the room that a fit leaves there. */
const edgeShare = 0.06;

/** The map of a scene while it is on screen. */
export interface ReviewMapView {
  readonly view: MapView;
  setScheme(scheme: Scheme): void;
  /** Everything that is drawn of the scene into the window. */
  fit(): void;
  remove(): void;
}

/** Puts the scene's map into an element and lets it follow the clock: without React, at every drawn frame. */
export function attachReviewMap(
  element: HTMLElement,
  review: Review,
  store: ReviewMapStore,
  looks: { readonly vehicle: string; readonly mark: string },
): ReviewMapView {
  const view = attachMap(element, {
    onWindow: () => undefined,
    onHover: (at) => void hover(at),
    onClick: () => undefined,
    onCircle: () => undefined,
  });
  const { map } = view;
  const overlays = attachLineLayer(map);
  const marker = attachVehicleMarker(map, looks.vehicle);
  const measureLine = attachMeasureLine(map);
  const markLayer = attachMarkLayer(map, looks.mark, (sceneMs) => review.clock.seek(sceneMs));
  let pointer: L.LatLng | null = null;
  let trail: Trail | null = null;
  let drawn: TrackLines | null = null;
  let vehicles: ReadonlyMap<TripId, Vehicle> = new Map();
  let ownTrips: ReadonlySet<TripId> = new Set();
  let hasFitted = false;

  const gpsNow = (): SceneTelemetry['gps'] => {
    const { telemetry } = review.telemetry.getState();
    return telemetry.status === 'ready' ? telemetry.value.gps : null;
  };

  // What is drawn --------------------------------------------------------------------------------------------------
  let shownGps: SceneTelemetry['gps'] = null;
  function showTrail(): void {
    const gps = gpsNow();
    if (gps === shownGps && trail) return;
    shownGps = gps;
    trail = gps ? toTrail(gps) : null;
    view.setLines(trail?.lines ?? null, {
      colorIndex: Int16Array.of(0),
      isShapeOnly: new Uint8Array(1),
    });
    showPlacedMarks();
    fitOnce();
    tick(review.clock.nowMs());
  }
  function showPlacedMarks(): void {
    const { scene } = review.store.getState();
    const placeOf = (sceneMs: number) => ownAt(sceneMs)?.place ?? null;
    markLayer.show(placeMarks(marksForChart(review.marks.getState(), scene), placeOf));
  }
  function showTracks(): void {
    const { scene } = review.store.getState();
    const { tracks } = store.getState();
    const list = vehiclesOf(scene, store.getState().numbers);
    vehicles = vehicleByTrip(list);
    ownTrips = new Set(vehicleByTrip(ownVehicles(list, scene.channels.length > 0)).keys());
    if (tracks.status !== 'ready') return;
    const hidden = review.hiddenTracks.getState().tripIds;
    const shifts = new Map(scene.tracks.map(({ tripId, shiftMs }) => [tripId, shiftMs]));
    drawn = cropLines(tracks.value, shifts, scene.fromMs - aroundMs, scene.toMs + aroundMs, (tripId) =>
      hidden.has(tripId),
    );
    overlays.show(
      drawn,
      Int16Array.from(drawn.tripIds, (tripId) => vehicles.get(tripId)?.colorIndex ?? -1),
    );
    showPlacedMarks();
    fitOnce();
    tick(review.clock.nowMs());
  }

  function fit(): void {
    const boxes = [trail?.lines ?? null, drawn].flatMap((lines) =>
      lines ? lines.tripIds.map((_, index) => boxOfLine(lines, index)) : [],
    );
    const box = unionBbox(boxes.filter((one) => one !== null));
    if (box) view.fit(box, closestFit);
  }
  function fitOnce(): void {
    if (hasFitted) return;
    const own = trail && trail.sampleOf.length > 0 ? boxOfLine(trail.lines, 0) : null;
    const isReady = review.telemetry.getState().telemetry.status !== 'loading';
    if (own) view.fit(own, closestFit);
    else if (isReady && drawn && drawn.tripIds.length > 0) fit();
    else return;
    // Telemetry comes in clip by clip: the map settles when all of it is here.
    const { read, total } = review.telemetry.getState();
    hasFitted = read >= total;
  }

  // What moves -----------------------------------------------------------------------------------------------------
  const ownAt = (sceneMs: number) => ownPlaceAt(shownGps, drawn, (tripId) => ownTrips.has(tripId), sceneMs);
  let current: { tripId: TripId; index: number; of: unknown } | null = null;
  function tick(sceneMs: number): void {
    const own = ownAt(sceneMs);
    marker.show(sceneMs, own?.place ?? null, own?.reading.timeMs ?? null);
    const next = own && { tripId: own.reading.tripId, index: own.place.index, of: own.reading.timeMs };
    if (next?.tripId !== current?.tripId || next?.index !== current?.index || next?.of !== current?.of) {
      current = next;
      store.setState({ current: own?.reading ?? null });
    }
    if (own && store.getState().isFollowing) keepInSight(own.place.latDeg, own.place.lngDeg);
    showMarks(sceneMs, own !== null);
  }
  let isMarked = false;
  function showMarks(sceneMs: number, hasOwn: boolean): void {
    const { hovered, pinned } = store.getState();
    const marks: MapMark[] = [];
    if (drawn) {
      for (const { tripId, place, isOld } of vehiclesAt(drawn, sceneMs)) {
        const vehicle = vehicles.get(tripId);
        if (hasOwn && ownTrips.has(tripId)) continue; // the arrow is there
        const colorIndex = vehicle?.colorIndex ?? -1;
        marks.push({
          kind: 'cursor',
          latDeg: place.latDeg,
          lngDeg: place.lngDeg,
          headingDeg: place.headingDeg,
          colorIndex,
          label: colorIndex < 0 ? null : String(colorIndex + 1),
          isOld,
        });
      }
    }
    if (pinned) marks.push({ kind: 'pin', ...pinned, colorIndex: -1, label: null });
    if (hovered) marks.push({ kind: 'hover', ...hovered, colorIndex: -1, label: null });
    if (marks.length === 0 && !isMarked) return;
    isMarked = marks.length > 0;
    view.setMarks(marks);
  }
  function keepInSight(latDeg: number, lngDeg: number): void {
    const size = map.getSize();
    if (size.x === 0 || size.y === 0) return;
    const lng = lngDeg + Math.round((map.getCenter().lng - lngDeg) / 360) * 360;
    const at = map.latLngToContainerPoint([latDeg, lng]);
    const isIn =
      at.x >= size.x * edgeShare &&
      at.x <= size.x * (1 - edgeShare) &&
      at.y >= size.y * edgeShare &&
      at.y <= size.y * (1 - edgeShare);
    if (isIn) return;
    map.setView([latDeg, lng], map.getZoom(), { animate: false });
  }

  // What is read ---------------------------------------------------------------------------------------------------
  function readingOf(hit: LinePick): MapReading | null {
    if (hit.tripId === trailId) {
      const gps = shownGps;
      const sample = trail?.sampleOf[hit.vertex];
      return gps && sample !== undefined ? readSample(gps, sample, trailId) : null;
    }
    const trip = drawn?.tripIds.indexOf(hit.tripId) ?? -1;
    if (!drawn || trip < 0) return null;
    return readSample(drawn, (drawn.offsets[trip] ?? 0) + hit.vertex, hit.tripId);
  }
  let hoverGeneration = 0;
  async function hover(onTrail: Omit<LinePick, 'vertex'> | null): Promise<void> {
    const mine = ++hoverGeneration;
    const at = pointer;
    if (at === null || store.getState().tool === 'distance') return setHovered(null);
    const hit = onTrail ? await view.pick(at) : await overlays.pick(at);
    if (mine === hoverGeneration) setHovered(pointer && hit ? readingOf(hit) : null);
  }
  function setHovered(hovered: MapReading | null): void {
    if (hovered === null && store.getState().hovered === null) return;
    store.setState({ hovered });
  }

  async function choose(at: L.LatLng): Promise<void> {
    const hit = (await view.pick(at)) ?? (await overlays.pick(at));
    const reading = hit && readingOf(hit);
    store.setState({ pinned: reading });
    const { scene } = review.store.getState();
    if (reading?.timeMs != null && reading.timeMs >= scene.fromMs && reading.timeMs <= scene.toMs) {
      review.clock.seek(reading.timeMs);
    }
  }
  function applyTool(at: L.LatLng): void {
    const { tool } = store.getState();
    if (tool === 'distance') store.addPoint({ latDeg: at.lat, lngDeg: at.lng });
    else if (tool === 'passage') void askPassages(at);
    else void choose(at);
  }
  /** Beside a drawn line, the place on the line is meant: a pixel may be wider than the circle. */
  async function askPassages(at: L.LatLng): Promise<void> {
    const hit = (await view.pick(at)) ?? (await overlays.pick(at));
    if (store.getState().tool !== 'passage') return;
    store.askPassages(hit?.latDeg ?? at.lat, wrapLngDeg(hit?.lngDeg ?? at.lng));
  }
  const onKey = (event: KeyboardEvent) => {
    const { tool, points, pinned } = store.getState();
    if (event.target !== element) return;
    if (event.key === 'Enter') applyTool(map.getCenter());
    else if (event.key === 'Backspace' && tool === 'distance' && points.length > 0) store.removePoint();
    else if (event.key === 'Escape' && tool !== 'none') store.setTool('none');
    else if (event.key === 'Escape' && pinned) store.setState({ pinned: null });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  map.on('mousemove', (event) => (pointer = event.latlng));
  map.on('mouseout', () => {
    pointer = null;
    setHovered(null);
  });
  map.on('click', (event) => applyTool(event.latlng));
  // Whoever moves the map wants to look elsewhere.
  map.on('dragstart', () => {
    hasFitted = true;
    store.setState({ isFollowing: false });
  });
  element.addEventListener('wheel', () => (hasFitted = true), { passive: true });
  element.addEventListener('keydown', onKey);

  const ends = [
    review.telemetry.subscribe(showTrail),
    review.store.subscribe((now, before) => {
      if (now.scene !== before.scene) showTracks();
    }),
    review.marks.subscribe(showPlacedMarks),
    review.hiddenTracks.subscribe(showTracks),
    review.clock.onTick(tick),
    store.subscribe((now, before) => {
      if (now.tracks !== before.tracks || now.numbers !== before.numbers) showTracks();
      if (now.points !== before.points) measureLine.show(now.points);
      if (now.circle !== before.circle) view.setCircle(now.circle);
      if (now.tool !== before.tool) element.classList.toggle('desk-drawing', now.tool !== 'none');
      const isMarkChange = now.hovered !== before.hovered || now.pinned !== before.pinned;
      if (isMarkChange || (now.isFollowing && !before.isFollowing)) tick(review.clock.nowMs());
    }),
  ];
  showTrail();
  showTracks();

  return {
    view,
    fit,
    setScheme(scheme) {
      view.setStyle({ mode: 'speed', scheme, focused: null });
      overlays.setScheme(scheme);
    },
    remove() {
      ends.forEach((end) => end());
      element.removeEventListener('keydown', onKey);
      marker.remove();
      measureLine.remove();
      markLayer.remove();
      overlays.remove();
      view.remove();
    },
  };
}
