/** Names of files that were dropped to search with: the engine keeps search inputs under their UIDs alone. */
const STORED = 'shapedex.inputs';
const KEPT = 200;

/** Keeps the name of an input, for the next visit, too. */
export function rememberName(uid: string, name: string): void {
  const names = [...readNames().filter(([known]) => known !== uid), [uid, name] as const].slice(-KEPT);
  localStorage.setItem(STORED, JSON.stringify(names));
}

/** The name of an input that this browser has put; undefined for others. */
export function nameOfInput(uid: string): string | undefined {
  return readNames().find(([known]) => known === uid)?.[1];
}

function readNames(): (readonly [uid: string, name: string])[] {
  return JSON.parse(localStorage.getItem(STORED) ?? '[]') as [string, string][];
}
