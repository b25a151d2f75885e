import type { ComponentChildren } from 'preact';

/** A message in a frame: 'error' is read aloud at once, 'info' when the reader is idle. */
export function Notice({ kind, children }: { readonly kind: 'error' | 'info'; readonly children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
