import { useEffect, useRef, type Dispatch, type RefObject, type SetStateAction } from 'react';
import { panned, plainPicture, zoomed, type PictureLook } from './pictureLook.ts';

const wheelStep = 1.0015;
const keyStep = 1.25;

/** Wheel zooms about the pointer, drag moves; + and - zoom and 0 resets while the picture has the focus. */
export function usePictureGestures(
  place: RefObject<HTMLElement | null>,
  look: PictureLook,
  setLook: Dispatch<SetStateAction<PictureLook>>,
): void {
  const zoom = useRef(look.zoom);
  useEffect(() => {
    zoom.current = look.zoom;
  }, [look.zoom]);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let last: { x: number; y: number } | null = null;
    const shareOf = (event: MouseEvent) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
    };
    // React's own wheel listeners may not prevent the page's zoom and scroll.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { x, y } = shareOf(event);
      setLook((before) => zoomed(before, wheelStep ** -event.deltaY, x, y));
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0 || zoom.current === 1) return;
      last = shareOf(event);
      element.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      if (!last) return;
      const next = shareOf(event);
      const [byX, byY] = [next.x - last.x, next.y - last.y];
      last = next;
      setLook((before) => panned(before, byX, byY));
    };
    const onUp = () => (last = null);
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const factor = event.key === '+' ? keyStep : event.key === '-' ? 1 / keyStep : null;
      if (factor === null && event.key !== '0') return;
      event.preventDefault();
      setLook((before) =>
        factor === null ? { ...before, ...zoomOf(plainPicture) } : zoomed(before, factor, 0.5, 0.5),
      );
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointercancel', onUp);
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', onUp);
      element.removeEventListener('keydown', onKey);
    };
  }, [place, setLook]);
}

/** The part of a look that zoom and pan change. */
export function zoomOf({ zoom, centerX, centerY }: PictureLook) {
  return { zoom, centerX, centerY };
}
