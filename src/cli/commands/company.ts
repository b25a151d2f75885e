import { Command, InvalidArgumentError, Option } from 'commander';
import { PROFILE_FIELDS, type CompanyProfile } from '../../accounts/index.js';
import { fieldOfWireName } from '../../http/wire/profile-names.js';
import { UsageError } from '../exit.js';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { repeated } from '../options.js';
import { renderFacts } from '../table.js';

/** `shapedex company`: makes companies, sets their profiles and where their callbacks go. */
export function companyCommand(): Command {
  return new Command('company')
    .description('add companies, set their profiles and where their callbacks go')
    .addCommand(addCommand())
    .addCommand(profileCommand())
    .addCommand(callbackCommand())
    .addCommand(planCommand());
}

function addCommand(): Command {
  return withFolderOptions(new Command('add'))
    .description('add a company to the library, which is made when it is missing')
    .argument('<name>', 'its name, as files and users will refer to it')
    .option('--domain <domain>', 'e-mail domain whose users join the company; may repeat', repeated)
    .action(async (name: string, options: FolderOptions & { readonly domain?: readonly string[] }) => {
      const output = openOutput(options);
      const company = await inAccounts(
        { ...options, create: true },
        async (accounts) => {
          const added = await accounts.addCompany(name);
          for (const domain of options.domain ?? []) await accounts.mapDomain(domain, added.name);
          return added;
        },
        (added) => ({ action: 'company add', object: added.name, company: added.name }),
      );
      output.emit({ company });
      output.say(`Added the company ${company.name} (${company.uid}).`);
    });
}

function profileCommand(): Command {
  return withFolderOptions(new Command('profile'))
    .description("show a company's profile, and set fields of it")
    .argument('<name>', 'of the company')
    .option('--set <field=value>', 'a field and its value, "null" for none; may repeat', repeated)
    .action(async (name: string, options: FolderOptions & { readonly set?: readonly string[] }) => {
      const output = openOutput(options);
      const fields = Object.fromEntries((options.set ?? []).map(readField)) as Partial<CompanyProfile>;
      const profile = await inAccounts(
        options,
        (accounts) => accounts.setProfile(name, fields),
        () =>
          // Values stay out of the log: a field may be long, or what a company keeps to itself.
          Object.keys(fields).length === 0
            ? undefined
            : { action: 'company profile', object: Object.keys(fields).join(', '), company: name },
      );
      output.emit({ company: name, profile });
      output.say(
        renderFacts(
          Object.entries(profile).map(([field, value]) => [
            field,
            value === null
              ? ''
              : value instanceof Date
                ? value.toISOString()
                : typeof value === 'object'
                  ? JSON.stringify(value)
                  : String(value),
          ]),
        ),
      );
    });
}

function planCommand(): Command {
  return withFolderOptions(new Command('plan'))
    .description('show what a company has used this month and what its plan allows, and set limits of it')
    .argument('<name>', 'of the company')
    .option('--files <n|none>', 'most files that people and programs may store over HTTP', limit)
    .option('--tokens <n|none>', 'of a month; told, not enforced', limit)
    .action(async (name: string, options: FolderOptions & { readonly files?: Limit; readonly tokens?: Limit }) => {
      const output = openOutput(options);
      const { files: mostFiles, tokens: mostTokens } = options;
      const isSet = mostFiles !== undefined || mostTokens !== undefined;
      const usage = await inAccounts(
        options,
        async (accounts) => {
          if (isSet) await accounts.setPlan(name, { fileLimit: mostFiles?.most, tokenLimit: mostTokens?.most });
          return accounts.usage(name);
        },
        () => (isSet ? { action: 'company plan', object: name, company: name } : undefined),
      );
      output.emit({ company: name, usage });
      if (usage === undefined) return;
      const { files, fileLimit, remainingFiles, tokens, tokenLimit, remainingTokens } = usage;
      output.say(
        renderFacts([
          [
            'files',
            `${files.total} of ${fileLimit ?? 'any number'}${remainingFiles === null ? '' : `, ${remainingFiles} left`}`,
          ],
          [
            'tokens',
            `${tokens.total} of ${tokenLimit ?? 'any number'}${remainingTokens === null ? '' : `, ${remainingTokens} left`}`,
          ],
        ]),
      );
    });
}

/** A limit of a plan; null: none. */
interface Limit {
  readonly most: number | null;
}

function limit(text: string): Limit {
  if (text === 'none') return { most: null };
  const most = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(most))
    throw new InvalidArgumentError('It must be a whole number or "none".');
  return { most };
}

/** Parses `field=value` into the type of the profile field, which may have its name in the HTTP interface. */
function readField(pair: string): [string, unknown] {
  const at = pair.indexOf('=');
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  const field = fieldOfWireName(name);
  if (at < 1 || !Object.hasOwn(PROFILE_FIELDS, field))
    throw new UsageError(
      `--set must be a field of the profile and its value, like overwriteFiles=false, received "${pair}"`,
    );
  const { accepts, form } = PROFILE_FIELDS[field as keyof CompanyProfile];
  const value = [jsonOf(text), text, new Date(text)].find(accepts);
  if (value === undefined) throw new UsageError(`${name} must be ${form}, received "${text}"`);
  return [field, value];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined; // Plain text.
  }
}

function callbackCommand(): Command {
  return withFolderOptions(new Command('callback'))
    .description('set where a company is told that its uploads are indexed')
    .argument('<name>', 'of the company')
    .option('--url <url>', 'http or https address that takes POST requests')
    .option('--secret <secret>', 'whsec_ and base64, to sign with; made when absent')
    .option(
      '--allow <host>',
      'private host, address or network (10.1.0.0/16) that may be reached; may repeat',
      repeated,
    )
    .addOption(new Option('--off', 'send no callbacks any more').conflicts(['url', 'secret', 'allow']))
    .action(async (name: string, options: FolderOptions & CallbackOptions) => {
      const output = openOutput(options);
      const { url, secret, allow, off } = options;
      if (off !== true && url === undefined) throw new UsageError('--url or --off must be given');
      const set = await inAccounts(
        options,
        (accounts) => accounts.setCallback(name, url === undefined ? null : { url, secret, allow }),
        // Its path may be a secret.
        () => ({ action: 'company callback', object: url === undefined ? 'off' : new URL(url).origin, company: name }),
      );
      output.emit({
        company: name,
        callback: set === undefined ? null : { url, allow: allow ?? [], secret: set.secret },
      });
      if (set === undefined) output.say(`${name} gets no callbacks any more.`);
      else if (!output.json)
        output.say(
          `Callbacks of ${name} go to ${url}.\n` +
            `${renderFacts([['signing secret', set.secret]])}\nThe secret is not shown again.`,
        );
    });
}

interface CallbackOptions {
  readonly url?: string;
  readonly secret?: string;
  readonly allow?: readonly string[];
  readonly off?: boolean;
}
