import { Command, InvalidArgumentError } from 'commander';
import type { Accounts } from '../../accounts/index.js';
import { UsageError } from '../exit.js';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts, renderTable } from '../table.js';

/** `shapedex key`: keys that programs of a user send instead of a token. */
export function keyCommand(): Command {
  return new Command('key')
    .description('make keys that programs of a user send instead of a token, list and withdraw them')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  return withFolderOptions(new Command('add'))
    .description('make a key of a user; it is shown once, and does what the user may do')
    .argument('<email>', 'address of the user')
    .requiredOption('--name <name>', 'what it is for')
    .option('--days <n>', 'days until it ends, 1 to 1100 (default: it does not end)', wholeDays)
    .action(async (email: string, options: FolderOptions & { readonly name: string; readonly days?: number }) => {
      const output = openOutput(options);
      const { name, days } = options;
      const made = await inAccounts(
        options,
        async (accounts) => accounts.keys.add({ user: await uidOf(accounts, email), name, days }),
        { action: 'key add', object: email },
      );
      output.emit({ key: made });
      if (!output.json)
        output.say(
          `Made a key of ${made.email}.\n${renderFacts([
            ['id', made.id],
            ['key', made.key],
            ['ends', made.expiresAt === null ? 'never' : made.expiresAt.toISOString()],
          ])}\nThe key is not shown again.`,
        );
    });
}

function listCommand(): Command {
  return withFolderOptions(new Command('list'))
    .description('the keys, without their secrets')
    .argument('[email]', 'only those of this user')
    .option('--company <name>', 'only those of users of this company')
    .action(async (email: string | undefined, options: FolderOptions & { readonly company?: string }) => {
      const output = openOutput(options);
      const { company } = options;
      const keys = await inAccounts(options, async (accounts) =>
        accounts.keys.list({ company, user: email === undefined ? undefined : await uidOf(accounts, email) }),
      );
      output.emit({ keys });
      output.say(
        keys.length === 0
          ? 'There are no keys.'
          : renderTable(
              [{ title: 'id' }, { title: 'name' }, { title: 'user' }, { title: 'ends' }, { title: 'last used' }],
              keys.map(({ id, name, email: owner, expiresAt, usedAt }) => [
                id,
                name,
                owner,
                expiresAt?.toISOString().slice(0, 10) ?? 'never',
                usedAt?.toISOString().slice(0, 10) ?? 'never',
              ]),
            ),
      );
    });
}

function removeCommand(): Command {
  return withFolderOptions(new Command('remove'))
    .description('withdraw a key')
    .argument('<id>', 'of the key')
    .action(async (id: string, options: FolderOptions) => {
      const output = openOutput(options);
      const removed = await inAccounts(options, (accounts) => accounts.keys.remove(id), {
        action: 'key remove',
        object: id,
      });
      if (!removed) throw new UsageError(`there is no key ${id}`);
      output.emit({ removed: id });
      output.say(`Withdrew ${id}.`);
    });
}

async function uidOf(accounts: Accounts, email: string): Promise<string> {
  const key = email.trim().toLowerCase();
  const user = (await accounts.users()).find((one) => one.email.toLowerCase() === key);
  if (user === undefined) throw new UsageError(`there is no user ${email}`);
  return user.uid;
}

function wholeDays(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('must be a number of days, 1 to 1100');
  return Number(text);
}
