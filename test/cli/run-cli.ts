import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command writes on a slow machine alone: how long one file has taken, every five seconds. */
const SO_FAR = /^.*: (?:\d+:)?\d+:\d\d so far\n/gm;

/**
 * Starts the built command line as a process of its own; `onStart` may talk to it. The lines of progress that depend on
 * the speed of the machine are left out of `stderr`.
 */
export function runCli(
  args: readonly string[],
  {
    cwd,
    env = {},
    onStart,
  }: {
    readonly cwd: string;
    readonly env?: Record<string, string>;
    readonly onStart?: (child: ChildProcessWithoutNullStreams) => void;
  },
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, DEBUG: '', ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr: stderr.replace(SO_FAR, '') }));
    onStart?.(child);
  });
}

/** The JSON documents on stdout, one a line. */
export function jsonLines<T>(stdout: string): T[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
