import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DRAGGED_FILE } from '../common/dragged-file.js';

interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** Called with the UID of a result that was dropped. beside: it joins the files that are searched with. */
  readonly onFound: (uid: string, options: { readonly beside: boolean }) => void;
  /** Whether another file can join those that are searched with. */
  readonly takesMore: boolean;
  readonly children: ComponentChildren;
}

/**
 * Accepts files dropped anywhere on the window while it is mounted, and shows an overlay while files are dragged over
 * it; a result that is dragged can be dropped on fields above the page.
 */
export function DropTarget({ onFiles, onFound, takesMore, children }: DropTargetProps) {
  const [over, setOver] = useState<'nothing' | 'files' | 'result'>('nothing');
  useEffect(() => {
    let depth = 0; // Nested elements: `dragenter` of a child comes before `dragleave` of its parent.
    const controller = new AbortController();
    type DragName = 'dragstart' | 'dragend' | 'dragenter' | 'dragleave' | 'dragover' | 'drop';
    const on = (kind: string, name: DragName, act: (event: DragEvent) => void): void =>
      addEventListener(name, (event) => event.dataTransfer?.types.includes(kind) === true && act(event), {
        signal: controller.signal,
      });
    on('Files', 'dragenter', () => {
      depth++;
      setOver('files');
    });
    on('Files', 'dragleave', () => {
      if (--depth <= 0) setOver('nothing');
    });
    on('Files', 'dragover', (event) => event.preventDefault());
    on('Files', 'drop', (event) => {
      event.preventDefault();
      depth = 0;
      setOver('nothing');
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    });
    // Browsers end a drag whose page changes while it begins.
    on(DRAGGED_FILE, 'dragstart', () => setTimeout(() => setOver('result')));
    addEventListener('dragend', () => setOver('nothing'), { signal: controller.signal });
    return () => controller.abort();
  }, [onFiles]);
  const field = (beside: boolean, words: string) => (
    <div
      class="drop-field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        setOver('nothing');
        const uid = event.dataTransfer?.getData(DRAGGED_FILE) ?? '';
        if (uid !== '') onFound(uid, { beside });
      }}
    >
      {words}
    </div>
  );
  return (
    <>
      {children}
      {over === 'files' && (
        <div class="drop-over">
          <p>Drop to search with these files</p>
        </div>
      )}
      {over === 'result' && (
        <div class="drop-fields">
          {field(false, 'Search with this one')}
          {takesMore && field(true, 'Add it to the search')}
        </div>
      )}
    </>
  );
}
