import { Command, Option } from 'commander';
import { Engine, type Company } from '../../index.js';
import { FailureReport, MAILS_APART_MS, postReport } from '../failure-report.js';
import { mailReport } from '../mail-report.js';
import { isDatabase, missingFolders, namesApart } from '../named.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { accountBound, type AccountBounds } from '../account-bounds.js';
import { follow } from '../follow.js';
import { readOpenIdFile } from '../open-id-file.js';
import { interruptible } from '../interrupt.js';
import { blobsOption, jsonOption, noteWarnings, placeOptions } from '../library.js';
import { openOutput, type Output } from '../output.js';
import {
  engineOptions,
  followLinksOption,
  numberFrom,
  repeated,
  withReadingOptions,
  type ReadingOptions,
} from '../options.js';
import { aborted, DEFAULT_PORT, startServer } from '../server.js';
import { showPage } from '../show-page.js';

interface ServeOptions extends ReadingOptions {
  readonly accounts?: AccountBounds;
  readonly library: string;
  readonly blobs?: string;
  readonly company?: string;
  readonly port?: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly trustProxy?: readonly string[];
  readonly key?: boolean;
  readonly log?: boolean;
  readonly mcp?: 'read' | 'write' | 'off';
  readonly watch?: readonly string[];
  readonly openid?: string;
  readonly poll?: number | true;
  readonly followLinks?: boolean;
  readonly report?: readonly string[];
  readonly smtp?: string;
  readonly mailFrom?: string;
  readonly json?: boolean;
}

/** `shapedex serve`: the page and the documented endpoints over HTTP, until a signal comes. */
export function serveCommand(finish: Finish): Command {
  const command = withReadingOptions(new Command('serve'))
    .description('serve a library over HTTP, with a page for browsers, until Ctrl-C')
    .option('--library <dir>', 'folder of the library, or postgres:// URL; made when it is missing', './library')
    .addOption(blobsOption())
    .option('--company <name>', 'company that the printed address leads to (default: the only one, else "default")')
    .option(
      '--port <n>',
      `port; 0 takes a free one (default: ${DEFAULT_PORT}, or the next free one)`,
      numberFrom(0, 65_535),
    )
    .option('--host <address>', 'address to listen at; only this machine reaches 127.0.0.1', '127.0.0.1')
    .option('--public-url <url>', 'put before the links in answers, such as https://cad.example.com')
    .option(
      '--trust-proxy <addresses>',
      'proxies before the server, addresses or networks such as 10.0.0.0/8, separated by commas: the address of a ' +
        'client is then taken from X-Forwarded-For; may repeat',
      proxies,
    )
    .option('--key', 'make an operator key for the page also with --public-url, or with a --host that others reach')
    .option('--no-key', 'make no operator key: people sign in')
    .option(
      '--watch <folder>',
      'also follow this folder, as "shapedex watch" does; it may be a share that is away at times; may repeat',
      repeated,
    )
    .option(
      '--poll [seconds]',
      'check watched folders every so many seconds (default: 5); on network disks that happens by itself',
      numberFrom(0.1, 86_400, 'number of seconds'),
    )
    .addOption(followLinksOption())
    .option(
      '--report <url>',
      'where files and watched folders that cannot be read are told: an http address gets them as JSON, ' +
        'mailto:ada@example.com,bob@example.com by mail (--smtp); may repeat',
      repeated,
    )
    .addOption(
      new Option(
        '--smtp <url>',
        'server that sends the mail: smtp://user:password@mail.example.com:587, or smtps://',
      ).env('SHAPEDEX_SMTP'),
    )
    .option('--mail-from <address>', "sender of the mail (default: the server's user, or shapedex@this machine)")
    .addOption(
      new Option(
        '--mcp <tools>',
        'tools for agents at /mcp: those that read (default), also those that write, or off',
      ).choices(['read', 'write', 'off']),
    )
    .option('--openid <file>', 'JSON of an OpenID Connect provider that people sign in by; see src/http/SERVING.md')
    .option(
      '--accounts <name=n>',
      'most of what users may make, as its error names it, such as inputsPerUser=500; may repeat',
      accountBound,
    )
    .option('--log', 'write a line of JSON to stderr for every request, and for every file that is indexed or fails')
    .addOption(jsonOption());
  const given = new Set<string>();
  // Both set the same value of commander, so that the later one would silently win.
  for (const flag of ['key', 'no-key'])
    command.on(`option:${flag}`, () => {
      given.add(flag);
      if (given.size > 1) throw new UsageError('--key and --no-key exclude each other');
    });
  return command.action(async (options: ServeOptions) => {
    const output = openOutput(options);
    const { watch = [] } = options;
    const names = namesApart(watch);
    for (const folder of await missingFolders(watch))
      output.note(`warning: ${folder} is not there; it is looked for again and again.`);
    const reports = await reportsOf(options, output.note);
    const signIn = options.openid === undefined ? {} : await readOpenIdFile(options.openid);
    await interruptible(output, async (signal) => {
      const engine = await Engine.open(options.library, {
        ...engineOptions(options),
        ...placeOptions(options),
        accounts: options.accounts ?? {},
        onIndexing: (event) => {
          if (options.log === true) output.note(JSON.stringify(event));
          const { time, path, uid, code = '', message = '' } = event;
          if (event.event !== 'failed') return;
          for (const report of reports) report.add({ time, company: event.company, path, uid, code, message });
        },
      });
      try {
        noteWarnings(engine);
        const companyName = options.company ?? (await onlyCompany(engine));
        const company = await engine.company(companyName);
        const server = await startServer(engine, { ...options, ...signIn, port: options.port, companyName, output });
        const { url, others } = server;
        const elsewhere =
          others.length === 0 ? '' : `It listens at all addresses of this machine: ${others.join(', ')}\n\n`;
        const page = await showPage(server, { isTerminal: process.stdout.isTTY === true });
        output.emit({
          url,
          ...(others.length > 0 && { others }),
          page: page.shown,
          docs: `${url}/docs`,
          keyFile: page.keyFile,
        });
        output.say(
          `Serving ${isDatabase(options.library) ? 'the library in PostgreSQL' : options.library} at ${url}; documentation at ${url}/docs. Ctrl-C stops.\n\n` +
            elsewhere +
            `Open the page in a browser:\n  ${page.shown}${page.note}`,
        );
        if (!server.keyed && (await engine.accounts.users(companyName)).length === 0 && !options.json) {
          output.note('Nobody can sign in yet: "shapedex user add" makes a user, also while this runs.');
        }
        try {
          await Promise.race([
            aborted(signal),
            followAll(company, watch, { ...options, names, reports, output, signal }),
          ]);
        } finally {
          await page.end();
          await server.close();
        }
      } finally {
        await engine.close();
        await Promise.all(reports.map((report) => report.close()));
      }
    });
    finish(EXIT.ok);
  });
}

/** Who is told of failures. @throws UsageError that repeats no address: there may be secrets in it. */
async function reportsOf(
  { report = [], smtp, mailFrom }: Pick<ServeOptions, 'report' | 'smtp' | 'mailFrom'>,
  note: Output['note'],
): Promise<FailureReport[]> {
  return Promise.all(
    report.map(async (url) => {
      if (/^https?:\/\//.test(url) && URL.canParse(url)) return new FailureReport(postReport(url), note);
      const to = /^mailto:(.+)/.exec(url)?.[1];
      if (to === undefined) throw new UsageError('--report must be an http or https address, or mailto:address');
      if (smtp === undefined)
        throw new UsageError('--report mailto: needs --smtp, or SHAPEDEX_SMTP in the environment');
      return new FailureReport(await mailReport({ smtp, to, from: mailFrom }), note, { apartMs: MAILS_APART_MS });
    }),
  );
}

/** Adds the addresses of an option to those before; the HTTP adapter checks them. */
function proxies(text: string, given: readonly string[] = []): string[] {
  return [...given, ...text.split(',').filter((one) => one.trim() !== '')];
}

/**
 * Watches until one folder fails or the signal aborts. With several folders each path begins with its folder's name, as
 * with `index`.
 */
async function followAll(
  company: Company,
  folders: readonly string[],
  {
    names,
    poll,
    followLinks,
    reports,
    output,
    signal,
  }: {
    readonly names: readonly string[];
    readonly poll?: number | true;
    readonly followLinks?: boolean;
    readonly reports: readonly FailureReport[];
    readonly output: Output;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const pollMs = typeof poll === 'number' ? Math.round(poll * 1_000) : undefined;
  await Promise.all([
    aborted(signal),
    ...folders.map((folder, i) =>
      follow(
        company,
        folder,
        { signal, prefix: folders.length > 1 ? names[i] : '', poll: poll !== undefined, pollMs, followLinks },
        output,
        // Of files the engine tells; this is about the folder, such as a share that is away, told once.
        ({ path, code, message }) => {
          if (path !== '') return;
          for (const report of reports)
            report.add({ time: new Date(), company: company.name, path: folder, code, message });
        },
      ),
    ),
  ]);
}

async function onlyCompany(engine: Engine): Promise<string> {
  const companies = await engine.companies();
  return companies.length === 1 ? companies[0] : 'default';
}
