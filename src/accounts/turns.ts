import { EngineError } from '../errors.js';

/** How many run and how many wait. */
export interface TurnLimits {
  /** Running at a time. */
  readonly running: number;
  /** Waiting in all. */
  readonly waiting: number;
  /** Waiting for one network. */
  readonly waitingPerSource: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (cause: EngineError) => void;
}

/**
 * Work that is done a few at a time, in turns by network: who sends much waits behind its own work and not before that
 * of others. When no more may wait, the last one of the network that has most is refused in favour of a newcomer of a
 * network that has less.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** By network, in the order of their turns. */
  readonly #lanes = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Whether a newcomer would be refused, or somebody in favour of it. */
  get isFull(): boolean {
    return this.#waiting >= this.#limits.waiting;
  }

  /**
   * Does the work when its turn comes. `network` undefined: unknown; then only the limit of all counts. `signal`: gives
   * the turn up while it waits.
   * @throws EngineError `RATE_LIMITED` with `details.reason` 'busy' when too many wait; `ABORTED`.
   */
  async run<T>(network: string | undefined, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) throw aborted(signal);
    if (this.#running < this.#limits.running) this.#running++;
    else await this.#turn(network, signal);
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#running--;
      else next.start(); // Passes its place to the next waiting one.
    }
  }

  #turn(network: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const key = network ?? '';
    const own = this.#lanes.get(key)?.length ?? 0;
    if (network !== undefined && own >= this.#limits.waitingPerSource) throw busy();
    if (this.#waiting >= this.#limits.waiting) this.#displace(own);
    let giveUp: () => void = () => undefined;
    const turn = new Promise<void>((start, refuse) => {
      const lane = this.#lanes.get(key) ?? [];
      this.#lanes.set(key, lane);
      const waiting = { start, refuse };
      lane.push(waiting);
      this.#waiting++;
      giveUp = () => {
        this.#leave(key, waiting);
        refuse(aborted(signal));
      };
    });
    signal?.addEventListener('abort', giveUp, { once: true });
    return turn.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** Takes one that waits out of its lane, unless its turn has come. */
  #leave(key: string, waiting: Waiting): void {
    const lane = this.#lanes.get(key) ?? [];
    const at = lane.indexOf(waiting);
    if (at < 0) return;
    lane.splice(at, 1);
    this.#waiting--;
    if (lane.length === 0) this.#lanes.delete(key);
  }

  /** Refuses the last one of the longest lane. @throws EngineError when no lane is longer than the newcomer's. */
  #displace(own: number): void {
    let longest: [string, Waiting[]] | undefined;
    for (const lane of this.#lanes) if (longest === undefined || lane[1].length > longest[1].length) longest = lane;
    if (longest === undefined || longest[1].length <= own + 1) throw busy();
    this.#waiting--;
    longest[1].pop()?.refuse(busy());
  }

  #next(): Waiting | undefined {
    for (const [key, lane] of this.#lanes) {
      this.#lanes.delete(key);
      const next = lane.shift();
      if (lane.length > 0) this.#lanes.set(key, lane); // Behind all other networks.
      if (next === undefined) continue;
      this.#waiting--;
      return next;
    }
    return undefined;
  }
}

function aborted(signal: AbortSignal | undefined): EngineError {
  return new EngineError('ABORTED', 'the caller ended the work', { cause: signal?.reason });
}

/** Too many passwords wait, which is no failed attempt. @internal */
export function busy(): EngineError {
  return new EngineError('RATE_LIMITED', 'too many passwords wait to be checked; try again in some seconds', {
    details: { reason: 'busy', retryAfterS: 2 },
  });
}
