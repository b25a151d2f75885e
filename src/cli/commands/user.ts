import { createHash, randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import type { Role } from '../../accounts/index.js';
import { UsageError } from '../exit.js';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { pipedLine } from '../piped-line.js';
import { renderFacts } from '../table.js';

interface UserOptions extends FolderOptions {
  readonly company: string;
  readonly admin?: boolean;
  readonly operator?: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordStdin?: boolean;
}

const GENERATED_BYTES = 15;

/** `shapedex user`: makes users. */
export function userCommand(): Command {
  return new Command('user').description('add users').addCommand(addCommand());
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
      const given = await pipedLine({ wait: options.passwordStdin === true });
      if (given === '' && options.passwordStdin) throw new UsageError('no password came on standard input');
      const password = given === '' ? randomBytes(GENERATED_BYTES).toString('base64url') : given;
      const passwordDigest = createHash('sha1').update(password, 'utf8').digest();
      const user = await inAccounts(options, (accounts) =>
        accounts.addUser({ email, firstName, lastName, passwordDigest, company, role }),
      );
      output.emit({ user, ...(given === '' ? { password } : {}) });
      output.say(`Added ${user.email} as ${role} of ${company} (${user.uid}).`);
      if (given === '' && !output.json)
        output.say(`${renderFacts([['password', password]])}\nThe password is not shown again.`);
    });
}
