import L from 'leaflet';
import { cameraColor, type Scheme } from './colors.ts';

/** A place to show above the lines. */
export interface MapMark {
  readonly kind: 'cursor' | 'hover' | 'pin' | 'pass';
  readonly latDeg: number;
  readonly lngDeg: number;
  /** Palette position of the camera; -1 unknown. */
  readonly colorIndex: number;
  readonly headingDeg: number | null;
  readonly label: string | null;
  /** The last place that was recorded, some time ago: drawn hollow. */
  readonly isOld?: boolean;
}

/** Marks on a canvas of their own above the lines: moving the cursor repaints a few shapes and never the lines. */
export function attachMarks(map: L.Map): {
  set(marks: readonly MapMark[]): void;
  setScheme(scheme: Scheme): void;
  remove(): void;
} {
  const canvas = document.createElement('canvas');
  canvas.className = 'desk-marks';
  canvas.setAttribute('aria-hidden', 'true');
  const pane = map.createPane('desk-marks');
  pane.style.zIndex = '640';
  pane.style.pointerEvents = 'none';
  canvas.style.position = 'absolute';
  pane.appendChild(canvas);
  let marks: readonly MapMark[] = [];
  let scheme: Scheme = 'light';
  let isAsked = false;
  let isRemoved = false;

  function draw(): void {
    isAsked = false;
    // A frame that was asked for while the map was still there.
    if (isRemoved) return;
    const size = map.getSize();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (canvas.width !== Math.round(size.x * ratio)) canvas.width = Math.round(size.x * ratio);
    if (canvas.height !== Math.round(size.y * ratio)) canvas.height = Math.round(size.y * ratio);
    canvas.style.width = `${size.x}px`;
    canvas.style.height = `${size.y}px`;
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.x, size.y);
    const centerLng = map.getCenter().lng;
    for (const mark of marks) {
      // The copy of the world that is nearest to the middle of the view.
      const lng = mark.lngDeg + Math.round((centerLng - mark.lngDeg) / 360) * 360;
      const at = map.latLngToContainerPoint([mark.latDeg, lng]);
      if (at.x < -40 || at.y < -40 || at.x > size.x + 40 || at.y > size.y + 40) continue;
      drawMark(context, mark, at.x, at.y, scheme);
    }
  }
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  };
  const hide = () => (canvas.style.visibility = 'hidden');
  const show = () => {
    canvas.style.visibility = '';
    draw();
  };
  map.on('move moveend resize', ask);
  map.on('zoomanim', hide);
  map.on('zoomend', show);
  return {
    set(next) {
      marks = next;
      ask();
    },
    setScheme(next) {
      scheme = next;
      ask();
    },
    remove() {
      isRemoved = true;
      map.off('move moveend resize', ask);
      map.off('zoomanim', hide);
      map.off('zoomend', show);
      canvas.remove();
    },
  };
}

function drawMark(
  context: CanvasRenderingContext2D,
  mark: MapMark,
  x: number,
  y: number,
  scheme: Scheme,
): void {
  const ink = scheme === 'dark' ? '#ffffff' : '#10151a';
  const paper = scheme === 'dark' ? '#10151a' : '#ffffff';
  const fill = cameraColor(mark.colorIndex, scheme);
  const radius = mark.kind === 'hover' ? 6 : 7;
  context.lineWidth = 2;
  if (mark.headingDeg !== null && mark.kind !== 'pass') {
    const angle = ((mark.headingDeg - 90) * Math.PI) / 180;
    context.beginPath();
    context.moveTo(x + Math.cos(angle) * (radius + 9), y + Math.sin(angle) * (radius + 9));
    context.lineTo(x + Math.cos(angle + 0.75) * (radius + 1), y + Math.sin(angle + 0.75) * (radius + 1));
    context.lineTo(x + Math.cos(angle - 0.75) * (radius + 1), y + Math.sin(angle - 0.75) * (radius + 1));
    context.closePath();
    context.fillStyle = ink;
    context.fill();
    context.strokeStyle = paper;
    context.lineWidth = 1;
    context.stroke();
  }
  context.beginPath();
  if (mark.kind === 'pass') {
    context.moveTo(x, y - radius);
    context.lineTo(x + radius, y);
    context.lineTo(x, y + radius);
    context.lineTo(x - radius, y);
    context.closePath();
  } else context.arc(x, y, radius, 0, Math.PI * 2);
  context.fillStyle = mark.kind === 'pin' ? ink : mark.isOld ? paper : fill;
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = mark.isOld ? fill : paper;
  context.stroke();
  context.lineWidth = 1;
  context.strokeStyle = ink;
  context.stroke();
  if (mark.kind === 'pin') {
    context.beginPath();
    context.arc(x, y, 2.5, 0, Math.PI * 2);
    context.fillStyle = paper;
    context.fill();
  }
  if (mark.label === null) return;
  context.font = '600 11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = paper;
  context.strokeText(mark.label, x + radius + 6, y - radius);
  context.fillStyle = ink;
  context.fillText(mark.label, x + radius + 6, y - radius);
}
