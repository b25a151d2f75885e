import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What command lines print on standard output, one after the other in one process: it is the start that takes time.
 * program: the compiled `cli/program.js`. lines: their words, without `node shapedex`; each must end with 0.
 */
export async function printedBy(program: string, lines: readonly (readonly string[])[]): Promise<string[]> {
  const code = `
    const { run } = await import(${JSON.stringify(pathToFileURL(program).href)});
    const texts = [];
    const write = process.stdout.write;
    for (const line of ${JSON.stringify(lines)}) {
      const text = [];
      process.stdout.write = (part) => text.push(String(part));
      const exit = await run(['node', 'shapedex', ...line]);
      process.stdout.write = write;
      if (exit !== 0) throw new Error(line.join(' ') + ' ended with ' + exit);
      texts.push(text.join(''));
    }
    console.log(JSON.stringify(texts));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { maxBuffer: 1e7 });
  return JSON.parse(stdout) as string[];
}
