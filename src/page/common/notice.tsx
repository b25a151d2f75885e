import type { ComponentChildren } from 'preact';

/** A message in a frame. Screen readers announce an 'error' at once, an 'info' when they are idle. */
export function Notice({ kind, children }: { readonly kind: 'error' | 'info'; readonly children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
