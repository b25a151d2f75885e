import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Nice value of a reading process above that of its host. */
const NICER = 5;
/** The system's least priority. */
const MOST_NICE = 19;
/** Linux changes the priority of one scheduling group in a tenth of a second, unless its administrator does. */
const AGAIN_MS = 150;
const TRIES = 5;

/**
 * Where host and readers want the same processor, the host, which answers searches, gets three quarters of it; where
 * nobody else wants it, reading is as fast as before. On Linux a process in a session of its own is in a scheduling
 * group of its own, outside of which its nice value says nothing (sched(7), "The autogroup feature"), so the group gets
 * one as well. Where the system refuses either, readers run like the host.
 */
export function yieldToHost(pid: number): void {
  if (!isDone(() => setPriority(pid, nicer(getPriority())))) return;
  if (process.platform === 'linux') yieldGroup(pid, TRIES);
}

function yieldGroup(pid: number, tries: number): void {
  const isSet = isDone(() => {
    // "/autogroup-123 nice 0". A new group has 0, and only an administrator may go below.
    const own = Number(/nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'latin1'))?.[1] ?? 0);
    writeFileSync(`/proc/${pid}/autogroup`, String(nicer(Math.max(0, own))));
  });
  if (!isSet && tries > 1) setTimeout(() => yieldGroup(pid, tries - 1), AGAIN_MS).unref();
}

function nicer(nice: number): number {
  return Math.min(MOST_NICE, nice + NICER);
}

/** False: the system refused it, or the process has ended. */
function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
