import { createHash, randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { DEFAULT_ACCOUNT_OPTIONS, type Role } from '../../accounts/index.js';
import { UsageError } from '../exit.js';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput, type Output } from '../output.js';
import { renderFacts, renderTable } from '../table.js';

interface UserOptions extends FolderOptions {
  readonly company: string;
  readonly admin?: boolean;
  readonly operator?: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordStdin?: boolean;
}

const GENERATED_BYTES = 15;
const INITIAL_DAYS = DEFAULT_ACCOUNT_OPTIONS.initialPasswordS / 86_400;

/** `shapedex user`: adds, lists, lets in and removes users. */
export function userCommand(): Command {
  return new Command('user')
    .description('add users, list them, let in those who signed up, set passwords, remove users')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(approveCommand())
    .addCommand(passwordCommand())
    .addCommand(removeCommand());
}

function listCommand(): Command {
  return withFolderOptions(new Command('list'))
    .description('the users, and who waits to be let in')
    .option('--company <name>', 'only those of this company')
    .option('--waiting', 'only those who wait')
    .action(async (options: FolderOptions & { readonly company?: string; readonly waiting?: boolean }) => {
      const output = openOutput(options);
      const users = (await inAccounts(options, (accounts) => accounts.users(options.company))).filter(
        ({ isWaiting }) => isWaiting || options.waiting !== true,
      );
      output.emit({ users });
      output.say(
        users.length === 0
          ? options.waiting === true
            ? 'Nobody waits.'
            : 'There are no users.'
          : renderTable(
              [{ title: 'address' }, { title: 'company' }, { title: 'role' }, { title: 'may sign in' }],
              users.map(({ email, companyName, role, isWaiting }) => [
                email,
                companyName ?? '',
                role,
                isWaiting ? 'no: waits for "user approve"' : 'yes',
              ]),
            ),
      );
    });
}

function approveCommand(): Command {
  return withFolderOptions(new Command('approve'))
    .description('let in a user who signed up and waits')
    .argument('<email>', 'address of the user')
    .option('--company <name>', 'company that a user of none joins, also one who was let in before')
    .action(async (email: string, options: FolderOptions & { readonly company?: string }) => {
      const output = openOutput(options);
      const { company } = options;
      const user = await inAccounts(options, (accounts) => accounts.approveUser(email, { company, join: company }), {
        action: 'user approve',
        object: email,
        company,
      });
      output.emit({ user });
      output.say(
        `${user.email} may sign in now (${user.companyName ?? 'of no company: give one with --company <name>'}).`,
      );
    });
}

function passwordCommand(): Command {
  return withFolderOptions(new Command('password'))
    .description('set a new password, what is piped in or a generated one, and end all sign-ins of the user')
    .argument('<email>', 'address of the user')
    .option('--password-stdin', 'wait for the password on standard input, however long it takes')
    .action(async (email: string, options: FolderOptions & { readonly passwordStdin?: boolean }) => {
      const output = openOutput(options);
      const { password, passwordDigest, isGenerated } = await askedPassword(options.passwordStdin === true);
      await inAccounts(options, (accounts) => accounts.setPassword(email, passwordDigest, { isInitial: isGenerated }), {
        action: 'user password',
        object: email,
      });
      output.emit({ email, ...(isGenerated ? { password } : {}) });
      output.say(`The password of ${email} is set; all sign-ins have ended.`);
      if (isGenerated && !output.json) sayPassword(output, password);
    });
}

function removeCommand(): Command {
  return withFolderOptions(new Command('remove'))
    .description('remove a user with all sign-ins and saved searches')
    .argument('<email>', 'address of the user')
    .action(async (email: string, options: FolderOptions) => {
      const output = openOutput(options);
      const removed = await inAccounts(options, (accounts) => accounts.removeUser(email), {
        action: 'user remove',
        object: email,
      });
      if (!removed) throw new UsageError(`there is no user ${email}`);
      output.emit({ removed: email });
      output.say(`Removed ${email}.`);
    });
}

function addCommand(): Command {
  return withFolderOptions(new Command('add'))
    .description('add a user; the password is what is piped in, or a generated one that is shown once')
    .argument('<email>', 'address to sign in with')
    .requiredOption('--company <name>', 'company of the user')
    .addOption(new Option('--admin', "may delete the company's files").conflicts('operator'))
    .option('--operator', 'may also add companies and act for any of them')
    .option('--first-name <name>', 'for people', '')
    .option('--last-name <name>', 'for people', '')
    .option('--password-stdin', 'wait for the password on standard input, however long it takes')
    .action(async (email: string, options: UserOptions) => {
      const output = openOutput(options);
      const { company, firstName, lastName } = options;
      const role: Role = options.operator ? 'operator' : options.admin ? 'admin' : 'member';
      const { password, passwordDigest, isGenerated } = await askedPassword(options.passwordStdin === true);
      const user = await inAccounts(
        options,
        (accounts) =>
          accounts.addUser({
            ...{ email, firstName, lastName, company, role },
            ...{ passwordDigest, isInitialPassword: isGenerated },
          }),
        { action: 'user add', object: email, company },
      );
      output.emit({ user, ...(isGenerated ? { password } : {}) });
      output.say(`Added ${user.email} as ${role} of ${company} (${user.uid}).`);
      if (isGenerated && !output.json) sayPassword(output, password);
    });
}

/** The password that is piped in, or else a new one. */
async function askedPassword(wait: boolean) {
  const given = await pipedLine({ wait });
  if (given === '' && wait) throw new UsageError('no password came on standard input');
  const password = given === '' ? randomBytes(GENERATED_BYTES).toString('base64url') : given;
  return {
    password,
    passwordDigest: createHash('sha1').update(password, 'utf8').digest(),
    isGenerated: given === '',
  };
}

function sayPassword(output: Output, password: string): void {
  output.say(
    `${renderFacts([['password', password]])}\nThe password is not shown again. It is good for ${INITIAL_DAYS} days, in which the user changes it.`,
  );
}

/** How long to wait for standard input without `wait`, ms: a pipe that nobody writes to must not block a command. */
const LOOK_MS = 1_000;
const LIMIT = 10_000;

/**
 * The first line of standard input without its line end; '' when there is none or standard input is a terminal.
 * @param wait true: until the input ends; false: until the first line or for a second.
 */
async function pipedLine({ wait }: { readonly wait: boolean }): Promise<string> {
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
