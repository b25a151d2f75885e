/** How long to wait for standard input without `wait`, ms: a pipe that nobody writes to must not block a command. */
const LOOK_MS = 1_000;
const LIMIT = 10_000;

/**
 * The first line of standard input without its line end; '' when there is none or standard input is a terminal.
 * @param wait true: until the input ends; false: until the first line or for a second.
 */
export async function pipedLine({ wait }: { readonly wait: boolean }): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  stdin.setEncoding('utf8');
  try {
    return await new Promise<string>((resolve, reject) => {
      let text = '';
      const end = (): void => resolve(text.split(/\r?\n/, 1)[0]);
      if (!wait) setTimeout(() => text === '' && end(), LOOK_MS).unref();
      stdin.on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('\n') || text.length > LIMIT) end();
      });
      stdin.on('end', end);
      stdin.on('error', reject);
    });
  } finally {
    stdin.destroy();
  }
}
