import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** What a process has taken. */
export interface ProcessUsage {
  /** Resident memory, bytes. */
  readonly residentBytes: number;
  /** Processor time of all its threads since it began, ms. */
  readonly processorMs: number;
}

/** Whether this system tells the usage of another process. Where it does not, a reading process reports its own. */
export const TELLS_USAGE = process.platform === 'linux';

/** The time unit of /proc/PID/stat, ms: the kernel gives user space 100 ticks a second on every machine. */
const TICK_MS = 10;

/** The usage of a process as Linux tells it, see proc_pid_stat(5); undefined: there is no such process. */
export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return {
      processorMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentBytes: resident === null ? 0 : Number(resident[1]) * 1_024,
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether one of the threads of a process has a processor or waits for one; undefined: the system does not tell it. A
 * process that is stopped, or that waits for a disk, waits for no processor.
 */
export function wantsProcessor(pid: number): boolean | undefined {
  if (!TELLS_USAGE) return undefined;
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => isRunnable(`/proc/${pid}/task/${thread}/stat`));
  } catch {
    return undefined;
  }
}

function isRunnable(statPath: string): boolean {
  try {
    const stat = readFileSync(statPath, 'latin1');
    return stat.startsWith('R', stat.lastIndexOf(')') + 2);
  } catch {
    return false; // The thread has ended meanwhile.
  }
}

/** Follows what a process reports, see `usage-reporter.ts`; returns the last report. */
export function reportedUsage(reports: Readable): () => ProcessUsage | undefined {
  let last: ProcessUsage | undefined;
  let rest = '';
  reports.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(-100);
    const [residentBytes, processorMs] = (lines.at(-1) ?? '').split(' ').map(Number);
    if (Number.isFinite(residentBytes) && Number.isFinite(processorMs)) last = { residentBytes, processorMs };
  });
  reports.on('error', () => undefined); // The process has ended: its exit tells.
  return () => last;
}
