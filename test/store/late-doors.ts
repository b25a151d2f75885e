import type { Library } from '../../dist/library.js';
import { Store } from '../../dist/store/store.js';

/** What is no access to the catalogue: files of the library, and the tables of rooms, which show doors of their own. */
const NO_DOORS = new Set(['folder', 'blobs', 'pictures', 'cacheFolder', 'warnings', 'close']);
/** Tables of rooms that have an asynchronous door beside them. */
const ROOM_DOOR = 'door';

/** Called before each call of a door and before its answer; what it awaits comes between. */
export type Between = (door: string, method: string) => Promise<void>;

/** Resolves after some turns of the event loop, another number each time. */
export function turns(most: number, random: () => number): Between {
  return async () => {
    for (let left = Math.floor((most + 1) * random()); left > 0; left--)
      await new Promise((resolve) => setImmediate(resolve));
  };
}

/** Every library that is opened in this process from now on has late doors. The engine finds the store by its class. */
export function openLate(between: Between): void {
  const open = Store.open.bind(Store) as (...args: unknown[]) => Promise<Library>;
  Store.open = (async (...args: unknown[]) => late(await open(...args), between)) as unknown as typeof Store.open;
}

/** The library, whose doors are asked later and answer later than they are called. */
export function late(store: Library, between: Between): Library {
  const rooms = { ...store.rooms };
  const behindDoor = <T extends { readonly door: object }>(room: string, tables: T): T =>
    new Proxy(tables, {
      get: (target, name) =>
        name === ROOM_DOOR ? lateDoor(room, target.door, between) : bound(target, Reflect.get(target, name)),
    });
  rooms.attributes = behindDoor('attributes', rooms.attributes);
  rooms.words = behindDoor('words', rooms.words);
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'rooms') return rooms;
      if (typeof name === 'symbol' || NO_DOORS.has(name)) return bound(target, value);
      if (typeof value === 'function') return lateCall(['store', name], bound(target, value) as Call, between);
      return typeof value === 'object' && value !== null ? lateDoor(name, value, between) : value;
    },
  });
}

type Call = (...args: unknown[]) => unknown;

function bound(target: object, value: unknown): unknown {
  return typeof value === 'function' ? (value as Call).bind(target) : value;
}

function lateDoor<T extends object>(door: string, target: T, between: Between): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' && typeof name === 'string'
        ? lateCall([door, name], bound(target, value) as Call, between)
        : bound(target, value);
    },
  });
}

function lateCall([door, method]: [string, string], call: Call, between: Between): Call {
  return async (...args) => {
    await between(door, method);
    try {
      return await call(...args);
    } finally {
      await between(door, method);
    }
  };
}
