/** What this process and its children take, as Linux tells it; elsewhere only the memory of this process. */
import { readFileSync } from 'node:fs';

/** Time between two looks at the children, ms. */
const SAMPLE_MS = 25;

/** Resident memory of this process, bytes. */
export function residentBytes() {
  return process.platform === 'linux' ? (usageOf('self')?.residentBytes ?? 0) : process.memoryUsage.rss();
}

/** Follows the largest memory of a child of this process, and the processor time of all of them. */
export class ChildrenUsage {
  #peakBytes = 0;
  /** Processor time up to now of each child ever seen, ms. */
  #processorMs = new Map();
  #from = 0;
  #timer;

  start() {
    this.#timer = setInterval(() => this.#look(), SAMPLE_MS);
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Peak and processor time since the last call. */
  take() {
    this.#look();
    const sum = [...this.#processorMs.values()].reduce((total, ms) => total + ms, 0);
    const taken = { peakBytes: this.#peakBytes, processorMs: sum - this.#from };
    this.#peakBytes = 0;
    this.#from = sum;
    return taken;
  }

  #look() {
    for (const pid of children()) {
      const usage = usageOf(pid);
      if (usage === undefined) continue;
      this.#peakBytes = Math.max(this.#peakBytes, usage.residentBytes);
      this.#processorMs.set(pid, Math.max(usage.processorMs, this.#processorMs.get(pid) ?? 0));
    }
  }
}

function children() {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

/** See proc_pid_stat(5); undefined: there is no such process. */
function usageOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return {
      processorMs: 10 * (Number(fields[11]) + Number(fields[12])),
      residentBytes: resident === null ? 0 : 1_024 * Number(resident[1]),
    };
  } catch {
    return undefined;
  }
}
