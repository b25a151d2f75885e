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
    const controller = new AbortController();
    const on = (name: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: (event: DragEvent) => void): void =>
      addEventListener(name, (event) => holdsFiles(event) && act(event), { signal: controller.signal });
    on('dragenter', () => {
      depth++;
      setOver(true);
    });
    on('dragleave', () => {
      if (--depth <= 0) setOver(false);
    });
    on('dragover', (event) => event.preventDefault());
    on('drop', (event) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    });
    return () => controller.abort();
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
