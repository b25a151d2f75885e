import { Command } from 'commander';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts } from '../table.js';

interface ClientOptions extends FolderOptions {
  readonly company?: string;
  readonly name?: string;
  readonly id?: string;
}

/** `shapedex client`: registers programs that may ask for tokens. */
export function clientCommand(): Command {
  return new Command('client').description('add programs that may ask for tokens').addCommand(addCommand());
}

function addCommand(): Command {
  return withFolderOptions(new Command('add'))
    .description('add a program that may ask for tokens; its id and secret are shown once')
    .option('--company <name>', 'company whose users it may sign in (default: all)')
    .option('--name <name>', 'for people')
    .option('--id <id>', 'id of the program (default: a new one)')
    .action(async (options: ClientOptions) => {
      const output = openOutput(options);
      const { company, name, id } = options;
      const client = await inAccounts(options, (accounts) => accounts.addClient({ company, name, id }));
      output.emit({ client });
      if (!output.json)
        output.say(
          `Added a client${company === undefined ? '' : ` of ${company}`}.\n${renderFacts([
            ['id', client.id],
            ['secret', client.secret],
          ])}\nThe secret is not shown again.`,
        );
    });
}
