import { networkOf } from '../../accounts/index.js';
import type { HttpOptions } from './http-options.js';
import { Problem } from './problem.js';

/** Who sends a body. */
export interface Sender {
  /** Network address; undefined: unknown. */
  readonly address: string | undefined;
  /** Identifies the user; undefined: nobody who has signed in. */
  readonly user: string | undefined;
}

/** Time for which memory that was refused counts as out of room, ms: as long as who asks again is told to wait. */
export const TOLD_MS = 5_000;

/** How many bodies may be read at a time. */
export type RoomBounds = Pick<
  HttpOptions,
  | 'concurrentBodies'
  | 'bodiesPerAddress'
  | 'bodiesPerUser'
  | 'bodyBytes'
  | 'heldBodyBytes'
  | 'heldBodyBytesPerUser'
  | 'unauthenticatedBodies'
  | 'unauthenticatedBodiesPerAddress'
>;

/** The place of one body. */
export class Seat {
  readonly network: string | undefined;
  readonly user: string | undefined;
  /** When the last bytes came, ms. */
  heardAt = performance.now();
  /** Called when the place is given to somebody else. */
  onLost: () => void = () => undefined;
  /** Bytes of the body that are in memory. */
  heldBytes = 0;
  readonly #seats: Set<Seat>;
  readonly #checkHeld: (seat: Seat) => void;

  constructor(seats: Set<Seat>, { address, user }: Sender, checkHeld: (seat: Seat) => void) {
    this.#seats = seats;
    this.#checkHeld = checkHeld;
    this.network = networkOf(address);
    this.user = user;
    seats.add(this);
  }

  /** Gives the place back; further calls have no effect. */
  leave(): void {
    this.#seats.delete(this);
  }

  /** Notes bytes that stay in memory until the place is given back. @throws Problem 503 when too many do. */
  hold(bytes: number): void {
    this.heldBytes += bytes;
    this.#checkHeld(this);
  }

  /** Takes the place away. */
  lose(): void {
    this.leave();
    this.onLost();
  }
}

/**
 * The room for bodies that are being read. Bodies of users have shares by user and by network; beyond them a request
 * is refused. Bodies of senders who have not signed in are short forms in a room of their own, which refuses nobody:
 * when it is full, the body that has been silent longest gives way, because the form of somebody who signs in comes at
 * once.
 */
export class BodyRoom {
  readonly #bounds: RoomBounds;
  readonly #ofUsers = new Set<Seat>();
  readonly #ofOthers = new Set<Seat>();
  /** When bytes of all were last refused, ms. */
  #refusedAt = -Infinity;

  constructor(bounds: RoomBounds) {
    this.#bounds = bounds;
  }

  /** Whether further bodies of users are refused. */
  get isFull(): boolean {
    return this.#ofUsers.size >= this.#bounds.concurrentBodies;
  }

  /** Whether there is no room for further bodies, or was no memory for the bytes of one a moment ago. */
  get isOutOfRoom(): boolean {
    return this.isFull || performance.now() - this.#refusedAt < TOLD_MS;
  }

  /** @throws Problem 503 when the room, or the sender's share of it, is taken. */
  enter(sender: Sender): Seat {
    if (sender.user === undefined) return this.#enterUnknown(sender);
    const { bodiesPerAddress, bodiesPerUser } = this.#bounds;
    const seats = this.#ofUsers;
    const network = networkOf(sender.address);
    const isTaken =
      this.isFull ||
      count(seats, ({ user }) => user === sender.user) >= bodiesPerUser ||
      (network !== undefined && count(seats, (seat) => seat.network === network) >= bodiesPerAddress);
    if (isTaken) throw new Problem(503, 'Too many bodies are being read.', { headers: { 'Retry-After': '1' } });
    return new Seat(seats, sender, (seat) => this.#checkHeld(seat));
  }

  #checkHeld({ user }: Seat): void {
    const { bodyBytes, heldBodyBytes, heldBodyBytesPerUser } = this.#bounds;
    let all = 0;
    let own = 0;
    for (const seat of this.#ofUsers) {
      all += seat.heldBytes;
      if (seat.user === user) own += seat.heldBytes;
    }
    const isAllTaken = all > Math.max(bodyBytes, heldBodyBytes);
    if (isAllTaken) this.#refusedAt = performance.now();
    if (isAllTaken || own > Math.max(bodyBytes, heldBodyBytesPerUser))
      throw new Problem(503, 'Bodies that are held take all memory that is meant for them.', {
        headers: { 'Retry-After': '1' },
      });
  }

  #enterUnknown(sender: Sender): Seat {
    const { unauthenticatedBodies, unauthenticatedBodiesPerAddress } = this.#bounds;
    const seats = [...this.#ofOthers];
    const network = networkOf(sender.address);
    const own = network === undefined ? [] : seats.filter((seat) => seat.network === network);
    if (own.length >= unauthenticatedBodiesPerAddress) longestSilent(own).lose();
    else if (seats.length >= unauthenticatedBodies) longestSilent(seats).lose();
    return new Seat(this.#ofOthers, sender, () => undefined);
  }
}

function longestSilent(seats: readonly Seat[]): Seat {
  return seats.reduce((first, seat) => (seat.heardAt < first.heardAt ? seat : first));
}

function count(seats: Iterable<Seat>, counts: (seat: Seat) => boolean): number {
  let found = 0;
  for (const seat of seats) if (counts(seat)) found++;
  return found;
}
