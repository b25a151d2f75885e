import { EngineError } from '../../index.js';
import { Problem } from './problem.js';

/** Requests of one user that wait, at most. */
const MOST_WAITING = 1_000;

/** The requests of one user. */
interface Line {
  running: number;
  /** Those that wait, in their order; each begins when it is called. */
  readonly waiting: Set<() => void>;
}

/**
 * Requests without a body, of which each user has some answered at a time while the others wait. What they ask for,
 * such as pictures and comparisons, is made by few processes: 200 of one user kept the picture of another waiting for
 * 57 s.
 */
export class RequestRoom {
  readonly #most: number;
  readonly #lines = new Map<string, Line>();

  constructor({ requestsPerUser }: { readonly requestsPerUser: number }) {
    this.#most = requestsPerUser;
  }

  /**
   * Resolves when the request may begin, with what is to be called when it has ended.
   * @throws Problem 503 when too many of the user wait; EngineError `ABORTED` when the sender goes away.
   */
  async enter(user: string, signal: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(user) ?? { running: 0, waiting: new Set() };
    this.#lines.set(user, line);
    if (line.running < this.#most) line.running++;
    else await waitIn(line, signal);
    return () => this.#leave(user, line);
  }

  #leave(user: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.running--;
    if (line.running === 0) this.#lines.delete(user);
  }
}

function waitIn({ waiting }: Line, signal: AbortSignal): Promise<void> {
  if (waiting.size >= MOST_WAITING)
    throw new Problem(503, 'Too many requests of this user wait.', { headers: { 'Retry-After': '1' } });
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      signal.removeEventListener('abort', give);
      resolve();
    };
    const give = (): void => {
      waiting.delete(begin);
      reject(new EngineError('ABORTED', 'the sender went away'));
    };
    if (signal.aborted) return give();
    signal.addEventListener('abort', give, { once: true });
    waiting.add(begin);
  });
}
