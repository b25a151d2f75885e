/** A signal of this process for each of another realm that was met, so that a signal used often has one listener. */
const OWN = new WeakMap<AbortSignal, AbortSignal>();

/** Whether something can be used as a signal. Those of another realm (jsdom, `vm`) are of another class. */
export function isSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** The signal itself, or for one of another realm a signal that follows it: `AbortSignal.any` takes no others. */
export function ownSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const foreign: AbortSignal = signal;
  if (foreign.aborted) return AbortSignal.abort(foreign.reason);
  let own = OWN.get(foreign);
  if (own === undefined) {
    const controller = new AbortController();
    foreign.addEventListener('abort', () => controller.abort(foreign.reason), { once: true });
    own = controller.signal;
    OWN.set(foreign, own);
  }
  return own;
}
