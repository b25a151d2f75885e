import type { ComponentChildren } from 'preact';

/** A message in a frame. Screen readers announce an 'error' at once, an 'info' when they are idle. */
export function Notice({ kind, children }: { readonly kind: 'error' | 'info'; readonly children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** Why something failed; nothing where it did not. */
export function Failure({ of }: { readonly of: string | undefined }) {
  return of === undefined ? null : <Notice kind="error">{of}</Notice>;
}

/** A quiet line about the state of the screen, which screen readers announce. */
export function Status({ children = 'Loading…' }: { readonly children?: ComponentChildren }) {
  return (
    <p class="quiet" role="status">
      {children}
    </p>
  );
}

/** Names and values. */
export function Facts({ of, class: className }: { readonly of: readonly Fact[]; readonly class: string }) {
  return (
    <dl class={className}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Fact = readonly [name: string, value: string];
