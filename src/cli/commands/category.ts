import { Command } from 'commander';
import { UsageError } from '../exit.js';
import { findCategory, findRecord } from '../named.js';
import { count, oneLine } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderTable } from '../table.js';

/** `shapedex category`: lists, adds and removes categories, and gives them to files. */
export function categoryCommand(): Command {
  return new Command('category')
    .description('list, add and remove categories, give them to files')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(setCommand())
    .addCommand(removeCommand());
}

function listCommand(): Command {
  return withLibraryOptions(new Command('list'))
    .description('list the categories with the number of files that have each')
    .action(async (options: LibraryOptions) => {
      const output = openOutput(options);
      const categories = await inLibrary(options, ({ company }) => company.categories.list());
      output.emit(categories);
      if (categories.length === 0)
        return output.say('There are no categories; "shapedex category add <name>" adds one.');
      output.say(
        renderTable(
          [
            { title: 'Id', align: 'right' },
            { title: 'Category', least: 16 },
            { title: 'In', align: 'right', spare: 1 },
            { title: 'Files', align: 'right' },
          ],
          categories.map(({ id, name, parentId, count: files }) => [
            String(id),
            name,
            parentId === null ? '' : String(parentId),
            count(files),
          ]),
        ),
      );
    });
}

function addCommand(): Command {
  return withLibraryOptions(new Command('add'))
    .description('add a category, unless there is one of this name in the same place')
    .argument('<name>', 'its name')
    .option('--parent <name|id>', 'category that it lies in')
    .action(async (name: string, options: LibraryOptions & { readonly parent?: string }) => {
      const output = openOutput(options);
      const category = await inLibrary(
        options,
        async ({ company }) =>
          company.categories.add(name, {
            parentId: options.parent === undefined ? null : await findCategory(company, options.parent),
          }),
        (added) => ({ action: 'category add', object: added.name }),
      );
      output.emit(category);
      output.say(`The category ${oneLine(category.name)} has the id ${category.id}.`);
    });
}

function setCommand(): Command {
  return withLibraryOptions(new Command('set'))
    .description('give a file a category, or none')
    .argument('<uid|path>', 'UID or path of a file in the library')
    .argument('<name|id>', 'of the category; "none" removes it')
    .action(async (word: string, wanted: string, options: LibraryOptions) => {
      const output = openOutput(options);
      const { uid, path, categoryId } = await inLibrary(
        options,
        async ({ company }) => {
          const id = await findCategory(company, wanted);
          return company.categories.assign((await findRecord(company, word)).uid, id);
        },
        (record) => ({ action: 'category set', object: record.path }),
      );
      output.emit({ uid, path, categoryId });
      output.say(categoryId === null ? `${path} has no category.` : `${path} has the category ${wanted}.`);
    });
}

function removeCommand(): Command {
  return withLibraryOptions(new Command('remove'))
    .description('remove a category; its files and categories move to the one that it lies in, or to none')
    .argument('<name|id>', 'the category')
    .action(async (wanted: string, options: LibraryOptions) => {
      const output = openOutput(options);
      const removed = await inLibrary(
        options,
        async ({ company }) => {
          const id = await findCategory(company, wanted);
          if (id === null) throw new UsageError('"none" is no category that could be removed');
          await company.categories.remove(id);
          return { id };
        },
        () => ({ action: 'category remove', object: wanted }),
      );
      output.emit(removed);
      output.say(`The category ${oneLine(wanted)} is removed.`);
    });
}
