import { signal } from '@preact/signals';

/** A search that was made in this browser. */
export interface RecentSearch {
  /** The query of its address. */
  readonly query: string;
  /** How many files it found. */
  readonly total: number;
}

const STORED = 'shapedex.recent';
/** Most searches that are kept. */
const MOST_KEPT = 12;

/** The last searches, newest first; kept in local storage until the user signs out. */
export const recentSearches = signal<readonly RecentSearch[]>(readStored());

/** Puts a search before the others. It takes the place of the last one if it is the same with other filters. */
export function noteSearch(search: RecentSearch): void {
  const [last] = recentSearches.value;
  const others = recentSearches.value.filter(
    (other) => other.query !== search.query && (other !== last || askedOf(other.query) !== askedOf(search.query)),
  );
  keep([search, ...others].slice(0, MOST_KEPT));
}

/** What is searched for, without filters. */
function askedOf(query: string): string {
  const parameters = new URLSearchParams(query);
  return JSON.stringify(['text', 'like', 'contains', 'faces'].map((name) => parameters.getAll(name)));
}

export function forgetSearches(): void {
  keep([]);
}

function keep(searches: readonly RecentSearch[]): void {
  recentSearches.value = searches;
  if (searches.length === 0) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, JSON.stringify(searches));
}

function readStored(): readonly RecentSearch[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSearch) : [];
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return [];
  }
}

function isSearch(value: unknown): value is RecentSearch {
  const { query, total } = (value ?? {}) as Partial<RecentSearch>;
  return typeof query === 'string' && typeof total === 'number';
}
