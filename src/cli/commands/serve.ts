import { basename, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Engine, type Company } from '../../index.js';
import { isFolder } from '../disk.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { follow } from '../follow.js';
import { interruptible } from '../interrupt.js';
import { jsonOption } from '../library.js';
import { openOutput, type Output } from '../output.js';
import { engineOptions, withReadingOptions, type ReadingOptions } from '../reading-options.js';
import { repeated } from '../repeated.js';
import { aborted, DEFAULT_PORT, startServer } from '../server.js';

interface ServeOptions extends ReadingOptions {
  readonly library: string;
  readonly company?: string;
  readonly port?: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly log?: boolean;
  readonly watch?: readonly string[];
  readonly json?: boolean;
}

/** `shapedex serve`: the page and the documented endpoints over HTTP, until a signal comes. */
export function serveCommand(finish: Finish): Command {
  return withReadingOptions(new Command('serve'))
    .description('serve a library over HTTP, with a page for browsers, until Ctrl-C')
    .option('--library <dir>', 'folder of the library; made when it is missing', './library')
    .option('--company <name>', 'company that the printed address leads to (default: the only one, else "default")')
    .option('--port <n>', `port; 0 takes a free one (default: ${DEFAULT_PORT}, or the next free one)`, readPort)
    .option('--host <address>', 'address to listen at; only this machine reaches 127.0.0.1', '127.0.0.1')
    .option('--public-url <url>', 'put before the links in answers, such as https://cad.example.com')
    .option('--watch <folder>', 'also follow this folder, as "shapedex watch" does; may repeat', repeated)
    .option('--log', 'write a line of JSON to stderr for every request')
    .addOption(jsonOption())
    .action(async (options: ServeOptions) => {
      const output = openOutput(options);
      const { watch = [] } = options;
      for (const folder of watch) if (!(await isFolder(folder))) throw new UsageError(`${folder} is not a folder`);
      await interruptible(output, async (signal) => {
        const engine = await Engine.open(options.library, engineOptions(options));
        try {
          const companyName = options.company ?? (await onlyCompany(engine));
          const company = await engine.company(companyName);
          const server = await startServer(engine, { ...options, port: options.port, companyName, output });
          const { url, pageUrl } = server;
          output.emit({ url, page: pageUrl, docs: `${url}/docs` });
          output.say(
            `Serving ${options.library} at ${url}; documentation at ${url}/docs. Ctrl-C stops.\n\nOpen the page in a browser:\n  ${pageUrl}`,
          );
          if (!server.keyed && (await engine.accounts.users(companyName)).length === 0 && !options.json) {
            output.note('Nobody can sign in yet: "shapedex user add" makes a user (stop the server first).');
          }
          await Promise.race([aborted(signal), followAll(company, watch, { output, signal })]);
          await server.close();
        } finally {
          await engine.close();
        }
      });
      finish(EXIT.ok);
    });
}

/**
 * Watches until one folder fails or the signal aborts. With several folders each path begins with its folder's name, as
 * with `index`.
 */
async function followAll(
  company: Company,
  folders: readonly string[],
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<void> {
  await Promise.all([
    aborted(signal),
    ...folders.map((folder) =>
      follow(company, folder, { signal, prefix: folders.length > 1 ? basename(resolve(folder)) : '' }, output),
    ),
  ]);
}

async function onlyCompany(engine: Engine): Promise<string> {
  const companies = await engine.companies();
  return companies.length === 1 ? companies[0] : 'default';
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}
