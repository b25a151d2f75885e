import { Command } from 'commander';
import { EngineError } from '../../index.js';
import { agentFiles } from '../agent-files.js';
import { EXIT, type Finish } from '../exit.js';
import { interruptible } from '../interrupt.js';
import { COMMAND_LINE, inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { checkFolder } from '../named.js';
import { repeated, withReadingOptions, type ReadingOptions } from '../options.js';
import { openOutput } from '../output.js';

interface McpOptions extends LibraryOptions, ReadingOptions {
  readonly write?: boolean;
  readonly read?: readonly string[];
}

/** `shapedex mcp`: the files of a company as tools for an agent, over standard input and output. */
export function mcpCommand(finish: Finish): Command {
  return withReadingOptions(withLibraryOptions(new Command('mcp')))
    .description('serve an agent over standard input and output (Model Context Protocol), until the input ends')
    .option('--write', 'also offer the tools that change the library: add_file, set_attributes')
    .option('--read <dir>', 'let the agent name files below this folder by their paths; may repeat', repeated)
    .action(async (options: McpOptions) => {
      const { read = [], write = false } = options;
      for (const folder of read) await checkFolder(folder);
      // Standard output holds messages of the protocol and nothing else.
      const output = openOutput({ json: true });
      await interruptible(output, async (signal) => {
        await inLibrary(options, async ({ engine, company }) => {
          const { serveStreams } = await import('../../mcp/index.js');
          const agent = {
            company,
            served: await engine.served(options.company),
            write,
            noteChange: (tool: string, object: string) =>
              engine.accounts.audit.note({
                ...{ action: `MCP ${tool}`, object, company: company.name, actor: COMMAND_LINE },
                ...{ source: null, outcome: 'done' },
              }),
            ...(read.length === 0 ? {} : { readFile: agentFiles(read) }),
          };
          const report = (what: string): void => output.note(what);
          await serveStreams(agent, { input: process.stdin, output: process.stdout, signal, report });
        }).catch((cause: unknown) => {
          throw isLocked(cause) ? withWayOut(cause) : cause;
        });
      });
      finish(EXIT.ok);
    });
}

function isLocked(cause: unknown): cause is EngineError {
  return cause instanceof EngineError && cause.code === 'LIBRARY_LOCKED';
}

/** The same error with what to do: the process that has the library open may serve agents itself. */
function withWayOut(cause: EngineError): EngineError {
  return new EngineError(
    cause.code,
    `${cause.message}; if that is "shapedex serve", give the agent its address with /mcp at the end and a token ` +
      'instead of this command, else end it and start this again',
    { details: cause.details, cause },
  );
}
