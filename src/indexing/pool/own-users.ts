import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SCARCE } from './mounts.js';

// Where the host is root, each reading process is a user of its own, that has no files.

/**
 * Ids that systemd gives to services for as long as they run: nobody's files have them. First and one past the last.
 */
const OWN_USERS = [61_184, 65_520] as const;
/**
 * Users of processes that live, of all pools here: two of one user could read each other's memory and end each other.
 */
const usersTaken = new Set<number>();

/** What runs is looked at this often, ms. */
const LOOK_MS = 1_000;
let running: { readonly users: readonly number[]; readonly atMs: number } | undefined;

/** Times that processes of a user are looked for and ended; some may have started others meanwhile. Pause in ms. */
const ROUNDS = 20;
const PAUSE_MS = 50;

const CAP_KILL = 5n;

/** Whether readers can be users of their own: this is root, and it may end processes of others. */
export function canHaveUsers(): boolean {
  if (process.getuid?.() !== 0) return false;
  // Root in a container may have lost that right.
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${held}`) >> CAP_KILL) & 1n) === 1n;
}

/**
 * One that no other reader of this host has, nor one of another host on this machine: a host ends whatever runs as the
 * user of a reader of its own that has ended. Two hosts that take the same user in the same second are not told apart;
 * then the reader of one may be ended by the other, and its file is read again.
 * @param pick a user at random. @throws Error when half of all are taken.
 */
export function takeUser(pick = (): number => randomInt(...OWN_USERS)): number {
  const [first, end] = OWN_USERS;
  const taken = new Set([...usersTaken, ...usersOfProcesses()]);
  if (taken.size >= (end - first) / 2) throw new Error(`${taken.size} reading processes have a user each`);
  for (;;) {
    const user = pick();
    if (taken.has(user)) continue;
    usersTaken.add(user);
    return user;
  }
}

/**
 * Which of the users of readers and services run something, as it was a second ago at most: looking is no small work.
 */
function usersOfProcesses(): readonly number[] {
  const now = performance.now();
  if (running === undefined || now - running.atMs >= LOOK_MS) running = { users: usersInProc(), atMs: now };
  return running.users;
}

function usersInProc(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? 0)
    .filter((user) => user >= OWN_USERS[0] && user < OWN_USERS[1]);
}

/** Another reader may have the user: nothing runs as it. */
export function releaseUser(user: number): void {
  usersTaken.delete(user);
}

/**
 * Ends what a reader left that ran as this user: one that was taken over may have started a process in a group of its
 * own, which would outlive it. The user stays taken while some of them live, or the system does not tell.
 */
export async function endAllOf(user: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await delay(PAUSE_MS, undefined, { ref: false });
    try {
      if ((await endOnce(user)) === 0) return releaseUser(user);
    } catch (cause) {
      if (!SCARCE.has((cause as NodeJS.ErrnoException).code)) return;
    }
  }
}

/** How many processes of the user were there. */
async function endOnce(user: number): Promise<number> {
  let found = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || !isOf(user, await unlessEnded(() => readFile(`/proc/${pid}/status`, 'utf8')))) continue;
    // Without a pause between looking and ending, so that the number is not another process's by then.
    const status = await unlessEnded(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
    const group = await unlessEnded(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
    // A service that systemd gave the same user is in another control group, which no reader can join or leave.
    if (!isOf(user, status) || group !== readFileSync('/proc/self/cgroup', 'utf8')) continue;
    found++;
    await unlessEnded(() => process.kill(Number(pid), 'SIGKILL'));
  }
  return found;
}

/** One that has ended and that nobody has asked for (a zombie) does nothing any more. */
function isOf(user: number, status: string | undefined): boolean {
  if (status === undefined || /^State:\tZ/m.test(status)) return false;
  return /^Uid:\t(\d+)/m.exec(status)?.[1] === String(user);
}

/** Undefined: the process has ended. */
async function unlessEnded<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (cause) {
    if (!['ENOENT', 'ESRCH'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    return undefined;
  }
}
