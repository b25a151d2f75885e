import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface FileButtonProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** True: selects a folder with all its files. */
  readonly folder?: boolean;
  readonly disabled?: boolean;
}

/** A button that opens the system's file dialog. */
export function FileButton({ onFiles, children, class: className, folder = false, disabled }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = (): void => {
    const { current } = input;
    if (current === null) return;
    const files = [...(current.files ?? [])];
    current.value = ''; // Otherwise selecting the same file again fires no change event.
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <button type="button" class={className} disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...(folder ? { webkitdirectory: true } : {})}
        aria-hidden="true"
        tabIndex={-1}
        onChange={chosen}
      />
    </>
  );
}
