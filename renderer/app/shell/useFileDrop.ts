import { useEffect, useRef, useState } from 'react';
import { carriesFiles, readDrop, type PickedFiles } from '../../features/imports/index.ts';

/**
 * Files dragged over the whole window. Returns whether a drag is over it now. `onDrop` gets everything dropped,
 * folders to their depths; `onUnreadable` hears when the browser could not read them.
 */
export function useFileDrop(
  onDrop: (picked: PickedFiles) => void,
  onUnreadable: (thrown: unknown) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const handlers = useRef({ onDrop, onUnreadable });
  useEffect(() => {
    handlers.current = { onDrop, onUnreadable };
  });
  useEffect(() => {
    // dragleave fires for every element that is crossed: count in and out.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const over = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      // Without this the window would leave the app and open the file.
      event.preventDefault();
      readDrop(event.dataTransfer).then(
        (picked) => handlers.current.onDrop(picked),
        (thrown: unknown) => handlers.current.onUnreadable(thrown),
      );
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
