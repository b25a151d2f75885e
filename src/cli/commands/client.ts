import { Command } from 'commander';
import { UsageError } from '../exit.js';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts, renderTable } from '../table.js';

interface ClientOptions extends FolderOptions {
  readonly company?: string;
  readonly name?: string;
  readonly id?: string;
}

/** `shapedex client`: registers programs that may ask for tokens. */
export function clientCommand(): Command {
  return new Command('client')
    .description('add programs that may ask for tokens, list and remove them')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
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
      const client = await inAccounts(options, (accounts) => accounts.addClient({ company, name, id }), {
        action: 'client add',
        object: name ?? id ?? '',
        company,
      });
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

function listCommand(): Command {
  return withFolderOptions(new Command('list'))
    .description('the programs that may ask for tokens')
    .action(async (options: FolderOptions) => {
      const output = openOutput(options);
      const clients = await inAccounts(options, (accounts) => accounts.clients());
      output.emit({ clients });
      output.say(
        clients.length === 0
          ? 'There are no programs.'
          : renderTable(
              [{ title: 'id' }, { title: 'name' }, { title: 'company' }],
              clients.map(({ id, name, companyName }) => [id, name, companyName ?? 'all']),
            ),
      );
    });
}

function removeCommand(): Command {
  return withFolderOptions(new Command('remove'))
    .description('remove a program; the tokens that it asked for end')
    .argument('<id>', 'of the program')
    .action(async (id: string, options: FolderOptions) => {
      const output = openOutput(options);
      const removed = await inAccounts(options, (accounts) => accounts.removeClient(id), {
        action: 'client remove',
        object: id,
      });
      if (!removed) throw new UsageError(`there is no program ${id}`);
      output.emit({ removed: id });
      output.say(`Removed ${id}.`);
    });
}
