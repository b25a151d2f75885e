import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { systemWords } from '../errors.js';
import { EngineError } from '../index.js';
import { assemblyCommand } from './commands/assembly.js';
import { attributesCommand, valuesCommand } from './commands/attributes.js';
import { backupCommand } from './commands/backup.js';
import { migrateCommand } from './commands/migrate.js';
import { categoryCommand } from './commands/category.js';
import { auditCommand } from './commands/audit.js';
import { clientCommand } from './commands/client.js';
import { keyCommand } from './commands/key.js';
import { companyCommand } from './commands/company.js';
import { convertCommand } from './commands/convert.js';
import { deleteCommand } from './commands/delete.js';
import { duplicatesCommand } from './commands/duplicates.js';
import { featuresCommand } from './commands/features.js';
import { indexCommand } from './commands/index-folders.js';
import { listCommand } from './commands/list.js';
import { mcpCommand } from './commands/mcp.js';
import { pmiCommand } from './commands/pmi.js';
import { reindexCommand } from './commands/reindex.js';
import { sampleCommand } from './commands/sample.js';
import { searchCommand } from './commands/search.js';
import { serveCommand } from './commands/serve.js';
import { startCommand } from './commands/start.js';
import { statsCommand } from './commands/stats.js';
import { statusCommand } from './commands/status.js';
import { userCommand } from './commands/user.js';
import { verifyCommand } from './commands/verify.js';
import { watchCommand } from './commands/watch.js';
import { addExamples } from './examples.js';
import { EXIT, UsageError, type Finish } from './exit.js';
import { unquotedName } from './named.js';
import { openOutput } from './output.js';
import { checkOutputs } from './output-files.js';

/**
 * Runs one command line.
 * @param argv as `process.argv`: two leading elements are passed over.
 * @returns the exit code, one of {@link EXIT}.
 */
export async function run(argv: readonly string[]): Promise<number> {
  process.stdout.off('error', endAtBrokenOutput).on('error', endAtBrokenOutput);
  let code: number = EXIT.ok;
  const program = buildProgram((result) => {
    code = result;
  });
  program.hook('preAction', (_, command) => checkOutputs(command.optsWithGlobals()));
  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    const json = argv.includes('--json');
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const unquoted = await unquotedName(argv.slice(2));
    if (unquoted !== undefined) return report(new UsageError(unquoted), { json });
    if (!(error instanceof CommanderError)) return report(error, { json });
    if (error.code !== 'commander.help')
      return report(new UsageError(error.message.replace(/^error: /, '').replaceAll('\n', ' ')), { json });
    // No command was given, so commander has printed the help.
    openOutput({ json }).emit({ error: { code: 'USAGE', message: 'a command must be named' } });
    return EXIT.usage;
  }
}

/**
 * A reader that closes the pipe early (`| head`) ends the output, not the work; it is not an error. Anything else, a
 * full disk, leaves an output that is not whole, so the program ends.
 */
function endAtBrokenOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`error: STORAGE_FAILED: could not write the output: ${error.message}\n`);
  process.exit(EXIT.failure);
}

/**
 * All commands with their options.
 * @param finish hears the exit code of a command that ended.
 */
export function buildProgram(finish: Finish): Command {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = new Command('shapedex')
    .description('Index CAD models, drawings, images and documents and find them again by shape, text and attributes.')
    .version(version)
    .addHelpText(
      'after',
      [
        '',
        'Exit codes: 0 done, 1 something failed, 2 wrong command line, 130 interrupted.',
        'DEBUG=1 in the environment adds a stack to error messages; NO_COLOR=1 takes the colours away.',
      ].join('\n'),
    );
  const commands = [
    startCommand(finish),
    indexCommand(finish),
    watchCommand(finish),
    searchCommand(),
    listCommand(),
    attributesCommand(),
    valuesCommand(),
    categoryCommand(),
    pmiCommand(),
    featuresCommand(),
    statusCommand(),
    assemblyCommand(),
    convertCommand(finish),
    deleteCommand(),
    duplicatesCommand(finish),
    statsCommand(),
    verifyCommand(finish),
    backupCommand(finish),
    migrateCommand(finish),
    reindexCommand(finish),
    sampleCommand(finish),
    serveCommand(finish),
    mcpCommand(finish),
    companyCommand(),
    userCommand(),
    clientCommand(),
    keyCommand(),
    auditCommand(),
  ];
  for (const command of commands) {
    addExamples(command);
    program.addCommand(command);
  }
  for (const command of [program, ...commands, ...commands.flatMap((parent) => parent.commands)]) {
    // commander's message is also in the error; it is printed in one line with its code.
    command.exitOverride().configureOutput({ outputError: () => undefined });
  }
  return program;
}

/** Prints an error in one line and returns the exit code. */
function report(error: unknown, { json }: { readonly json: boolean }): number {
  const output = openOutput({ json });
  // The engine rejects a value out of range with a RangeError that names it; a TypeError would be a bug of this
  // program.
  const usage = error instanceof UsageError || error instanceof RangeError;
  const system = error instanceof EngineError || usage ? undefined : ofSystem(error);
  const code = error instanceof EngineError ? error.code : usage ? 'USAGE' : (system?.code ?? systemCode(error));
  const message = system?.message ?? inWordsOfOptions(error instanceof Error ? error.message : String(error), usage);
  output.emit({ error: { code, message } });
  output.note(`error: ${code}: ${message}`);
  if (process.env['DEBUG'] && error instanceof Error) output.note(error.stack ?? '');
  return usage || code === 'QUERY_INVALID' ? EXIT.usage : EXIT.failure;
}

/** What the system refused a command: to write a file that it was asked for, or to listen. */
function ofSystem(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const words = systemWords(error);
  if (words === undefined) return undefined;
  const {
    code,
    syscall = 'go on',
    path,
    address,
    port,
  } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  if (syscall === 'listen')
    return { code: 'LISTEN_FAILED', message: `could not listen at ${address}:${port}: ${words} (${code})` };
  const doing = path === undefined ? syscall : `${syscall === 'open' ? 'open or write' : syscall} ${path}`;
  return { code: 'STORAGE_FAILED', message: `could not ${doing}: ${words} (${code})` };
}

/**
 * The API's name of a wrong value (`options.publicUrl`, `user.email`) as the command line's (`--public-url`, `email`).
 */
function inWordsOfOptions(message: string, isUsage: boolean): string {
  if (!isUsage) return message;
  return message
    .replace(
      /^options\.(\w+)/,
      (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
    .replace(/^(?:user|client)\.(?=\w)/, '');
}

function systemCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'UNEXPECTED';
}
