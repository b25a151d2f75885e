import { Command } from 'commander';
import type { FileRecord } from '../../index.js';
import { UsageError } from '../exit.js';
import { findRecord } from '../named.js';
import { count, oneLine } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { numberFrom, repeatedAttribute } from '../options.js';
import { renderTable } from '../table.js';

/** Extracted attributes are not counted. */
const EXTRACTED = 'Attributes that were read from the files themselves are not listed; search --attribute finds them.';

interface AttributesOptions extends LibraryOptions {
  readonly set?: string[];
  readonly add?: boolean;
  readonly clear?: boolean;
}

interface ValuesOptions extends LibraryOptions {
  readonly prefix?: string;
  readonly limit: number;
  readonly offset: number;
}

/** `shapedex attributes [uid|path]`: shows or changes the attributes of a file, or lists all that files have. */
export function attributesCommand(): Command {
  return withLibraryOptions(new Command('attributes'))
    .description('show the attributes that files were given, or show and change those of one file')
    .argument('[uid|path]', 'UID or path of a file in the library')
    .option('--set <name=value>', 'give the file this attribute instead of those it has; may repeat', repeatedAttribute)
    .option('--add', 'with --set: add to the attributes and values that the file has')
    .option('--clear', 'remove all attributes of the file')
    .addHelpText(
      'after',
      '\nname=value or name(unit)=value; several values are joined by |, a | inside a value is written \\|.',
    )
    .action((word: string | undefined, options: AttributesOptions) =>
      word === undefined ? overview(options) : ofFile(word, options),
    );
}

/** `shapedex values NAME`: the values of one attribute. */
export function valuesCommand(): Command {
  return withLibraryOptions(new Command('values'))
    .description('show the values that an attribute was given, each with the number of files that have it')
    .argument('<name>', 'name of the attribute, in any case')
    .option('--prefix <text>', 'only values that begin so')
    .option('--limit <n>', 'how many to show', numberFrom(0), 100)
    .option('--offset <n>', 'how many to skip first', numberFrom(0), 0)
    .action(values);
}

async function overview(options: AttributesOptions): Promise<void> {
  if (options.set !== undefined || options.add === true || options.clear === true) {
    throw new UsageError('--set, --add and --clear need the UID or path of a file');
  }
  const output = openOutput(options);
  const attributes = await inLibrary(options, ({ company }) => company.attributes());
  output.emit(attributes);
  if (attributes.length === 0) return output.say(`No file was given attributes. ${EXTRACTED}`);
  output.say(
    renderTable(
      [
        { title: 'Attribute', least: 16 },
        { title: 'Unit' },
        { title: 'Type', spare: 1 },
        { title: 'Files', align: 'right' },
      ],
      attributes.map(({ name, unit, type, count: files }) => [name, unit, type, count(files)]),
    ),
  );
}

async function ofFile(word: string, { set, add = false, clear = false, ...options }: AttributesOptions): Promise<void> {
  if (clear && set !== undefined)
    throw new UsageError('--clear and --set exclude each other; --set alone replaces all attributes');
  if (add && set === undefined) throw new UsageError('--add needs --set');
  const output = openOutput(options);
  const record = await inLibrary(
    options,
    async ({ company }): Promise<FileRecord> => {
      const found = await findRecord(company, word);
      if (clear) return company.setAttributes(found.uid, []);
      return set === undefined ? found : company.setAttributes(found.uid, set, { replace: !add });
    },
    (found) => (clear || set !== undefined ? { action: 'attributes', object: found.path } : undefined),
  );
  const { uid, path, attributes, extractedAttributes } = record;
  output.emit({ uid, path, attributes, extractedAttributes });
  output.say(
    [
      path,
      ...attributes.map((text) => `  ${oneLine(text)}`),
      ...extractedAttributes.map((text) => `  ${oneLine(text)}  (from the file)`),
    ].join('\n'),
  );
}

async function values(name: string, { prefix, limit, offset, ...options }: ValuesOptions): Promise<void> {
  const output = openOutput(options);
  const found = await inLibrary(options, ({ company }) => company.attributeValues(name, { prefix, limit, offset }));
  output.emit(found);
  if (found.length === 0) return output.say(`No file was given such a value of ${oneLine(name)}. ${EXTRACTED}`);
  output.say(
    renderTable(
      [{ title: 'Value', least: 20 }, { title: 'Unit' }, { title: 'Files', align: 'right' }],
      found.map(({ value, unit, count: files }) => [value, unit, count(files)]),
    ),
  );
}
