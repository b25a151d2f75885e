import { resolve } from 'node:path';
import type { Company, WatchEvent, WatchFolderOptions } from '../index.js';
import type { Failure } from './failures.js';
import { count, oneLine, plural } from './format.js';
import { paintFor, type Output } from './output.js';

/**
 * Follows a folder and prints every event; returns the files that could not be indexed. onFailed: told of each the
 * first time, '' for the folder itself.
 */
export async function follow(
  company: Company,
  folder: string,
  options: WatchFolderOptions,
  output: Output,
  onFailed?: (failure: Failure) => void,
): Promise<Failure[]> {
  const failing = new Map<string, Failure>();
  for await (const event of company.folders.watch(resolve(folder), options)) {
    if (event.event === 'failed') {
      failing.set(event.path, { path: event.path || folder, ...event.error });
      if (event.attempt === 1) onFailed?.({ path: event.path, ...event.error });
    } else if ('path' in event) failing.delete(event.path);
    output.emit(event);
    output.say(lineOf(event, folder));
  }
  return [...failing.values()];
}

/** One event in a line. */
function lineOf(event: WatchEvent, folder: string): string {
  const paint = paintFor(process.stdout);
  switch (event.event) {
    case 'ready':
      return [
        `${plural(event.files, 'file')}, ${count(event.unchanged)} unchanged`,
        event.failing > 0 ? `, ${count(event.failing)} to be tried again` : '',
        event.outsideLinks > 0 ? `, ${plural(event.outsideLinks, 'link')} out of the folder not read` : '',
        `; waiting for changes${event.method === 'polling' ? ' by looking' : ''}.`,
      ].join('');
    case 'added':
      return `${paint.green('added')}    ${oneLine(event.path)}`;
    case 'changed':
      return `${paint.green('changed')}  ${oneLine(event.path)}`;
    case 'moved':
      return `${paint.green('moved')}    ${oneLine(event.from)} -> ${oneLine(event.path)}`;
    case 'removed':
      return `${paint.yellow('removed')}  ${oneLine(event.path)}${event.deleted ? '' : ' (the library keeps it)'}`;
    case 'polling':
      return `${paint.yellow('polling')}  the system no longer reports changes: ${oneLine(event.reason)}`;
    case 'failed': {
      const again =
        event.retryAt === null
          ? ''
          : ` (attempt ${event.attempt}, again at ${event.retryAt.toTimeString().slice(0, 8)})`;
      const { code, message } = event.error;
      return `${paint.red('failed')}   ${oneLine(event.path || folder)}  ${code}: ${oneLine(message)}${again}`;
    }
  }
}
