import { Command, InvalidArgumentError } from 'commander';
import { inAccounts, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { oneLine } from '../format.js';
import { renderTable } from '../table.js';

interface AuditOptions extends FolderOptions {
  readonly company?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly before?: number;
  readonly limit: number;
}

/** `shapedex audit`: who changed what. */
export function auditCommand(): Command {
  return withFolderOptions(new Command('audit'))
    .description('who changed what, newest first: users, programs and commands')
    .option('--company <name>', 'only what is about this company')
    .option('--actor <who>', 'only by this user, program, or "command line"')
    .option('--action <action>', 'only of this kind, such as "DELETE File" or "user add"')
    .option('--object <what>', 'only done to this UID, path or address')
    .option('--before <id>', 'entries older than this one', wholeNumber)
    .option('--limit <n>', 'most entries, 1 to 1000', wholeNumber, 100)
    .action(async ({ company, actor, action, object, before, limit, ...options }: AuditOptions) => {
      const output = openOutput(options);
      const entries = await inAccounts(options, (accounts) =>
        accounts.audit.list({ company, actor, action, object, before, limit }),
      );
      output.emit({ entries });
      output.say(
        entries.length === 0
          ? 'Nothing was noted.'
          : renderTable(
              ['id', 'when (UTC)', 'who', 'from', 'did', 'to', 'company', 'outcome'].map((title) => ({ title })),
              entries.map((entry) => [
                String(entry.id),
                entry.at.toISOString().slice(0, 19).replace('T', ' '),
                oneLine(entry.actor ?? ''),
                entry.source ?? '',
                entry.action,
                oneLine(entry.object ?? ''),
                oneLine(entry.company ?? ''),
                entry.outcome,
              ]),
            ),
      );
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
