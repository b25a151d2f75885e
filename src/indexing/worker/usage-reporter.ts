import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { SAMPLE_MS } from './messages.js';

// A thread of a reading process on systems that do not tell the usage of another process. It reports the usage while
// the main thread is busy with a file, and ends the process when its host has ended.

const { reportsTo, parent } = workerData as { readonly reportsTo: number; readonly parent: number };

setInterval(() => {
  try {
    if (process.ppid !== parent) throw new Error('the host has ended');
    const { user, system } = process.cpuUsage();
    writeSync(reportsTo, `${process.memoryUsage.rss()} ${Math.round((user + system) / 1_000)}\n`);
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}, SAMPLE_MS);
