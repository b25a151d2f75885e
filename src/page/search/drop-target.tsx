import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}

/**
 * Accepts files dropped anywhere on the window while it is mounted, and shows an overlay while files are dragged over
 * it.
 */
export function DropTarget({ onFiles, children }: DropTargetProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0; // Nested elements: `dragenter` of a child comes before `dragleave` of its parent.
    const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      depth++;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (holdsFiles(event) && --depth <= 0) setOver(false);
    };
    const hold = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: hold, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, [onFiles]);
  return (
    <>
      {children}
      {over && (
        <div class="drop-over">
          <p>Drop to search with these files</p>
        </div>
      )}
    </>
  );
}
