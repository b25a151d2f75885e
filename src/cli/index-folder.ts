import { resolve } from 'node:path';
import type { Company, PutFolderProgress, Warning } from '../index.js';
import { failureLine, type Failure } from './failures.js';
import { LOST, type Output } from './output.js';
import { ProgressLine } from './progress.js';

/** The result of indexing one folder. */
export interface IndexOutcome {
  readonly indexed: number;
  /** Of those indexed: files that took the place of other bytes under the same path. */
  readonly replaced: number;
  readonly unchanged: number;
  readonly total: number;
  readonly bytes: number;
  readonly failures: readonly Failure[];
  /** Paths of those indexed of which less was read than they should hold. */
  readonly cutShort: readonly string[];
  /** Of those indexed: what their names say and their content is not, in words. */
  readonly misnamed: readonly string[];
  readonly seconds: number;
  /** Files of kinds that are not read. */
  readonly leftOut: NonNullable<PutFolderProgress['leftOut']>;
  /** Links that are not followed, and what is not a file. */
  readonly passedOver: NonNullable<PutFolderProgress['passedOver']>;
  /** A signal ended it early; a second run continues. */
  readonly interrupted: boolean;
}

export interface IndexFolderOptions {
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Put before every path, as a folder. Default ''. */
  readonly prefix?: string;
  /** Attributes for every file, `name=value`; an unchanged file keeps those that it has. */
  readonly attributes?: readonly string[];
  /** True: links to files are followed wherever they lead. */
  readonly followLinks?: boolean;
  /** True: index the components of assemblies too. */
  readonly components?: boolean;
  /** Called with the path of every file that is indexed, by this run or an earlier one. */
  readonly onIndexed?: (path: string) => void;
}

/** Failures that are named as soon as they happen. */
const NAMED_AT_ONCE = 20;
const MORE_AT_END = 'Further failures are counted; the list at the end names them, if they are not too many.';

function isMisnamed({ code }: Warning): boolean {
  return code === 'EXTENSION_MISMATCH';
}

/** Puts a folder into a company's files with a bar on stderr, or with JSON lines on stdout. */
export async function indexFolder(
  company: Company,
  folder: string,
  options: IndexFolderOptions,
): Promise<IndexOutcome> {
  const { output, signal, prefix, attributes, components, followLinks, onIndexed } = options;
  const started = performance.now();
  const line = new ProgressLine('Indexing');
  const failures: Failure[] = [];
  const cutShort: string[] = [];
  const misnamed: string[] = [];
  let last: Pick<PutFolderProgress, 'done' | 'replaced' | 'skipped' | 'total' | 'bytes'> = {
    done: 0,
    replaced: 0,
    skipped: 0,
    total: 0,
    bytes: 0,
  };
  let leftOut: IndexOutcome['leftOut'] = [];
  let passedOver: IndexOutcome['passedOver'] = { folderLinks: 0, outsideLinks: 0, brokenLinks: 0, special: 0 };
  let interrupted = false;
  try {
    for await (const progress of company.putFolder(resolve(folder), {
      resume: true,
      signal,
      prefix,
      attributes,
      indexAssemblyComponents: components,
      followLinks,
    })) {
      last = progress;
      leftOut = progress.leftOut ?? leftOut;
      passedOver = progress.passedOver ?? passedOver;
      const { done, failed, skipped, path = '', record, error } = progress;
      if (path !== '' && !error) onIndexed?.(path);
      if (path !== '' && !error && !record && attributes) await giveAttributes(company, path, attributes);
      if (record?.warnings.some(({ code }) => LOST.has(code))) cutShort.push(path);
      misnamed.push(...(record?.warnings ?? []).filter(isMisnamed).map(({ message }) => message));
      if (error) {
        failures.push({ path, code: error.code, message: error.message });
        // The first ones as they come; a thousand would push everything else off the screen.
        if (failures.length <= NAMED_AT_ONCE) line.interject(failureLine(failures[failures.length - 1]));
        if (failures.length === NAMED_AT_ONCE) line.interject(MORE_AT_END);
      }
      output.emit({ event: 'progress', ...progress });
      line.show({ ...progress, done: done + failed + skipped, unchanged: skipped });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    interrupted = true;
  } finally {
    line.end();
  }
  const { done: indexed, replaced, skipped: unchanged, total, bytes } = last;
  return {
    indexed,
    replaced,
    unchanged,
    total,
    bytes,
    failures,
    cutShort,
    misnamed,
    leftOut,
    passedOver,
    seconds: (performance.now() - started) / 1000,
    interrupted,
  };
}

/** Adds the attributes to a file that was skipped because it is unchanged. */
async function giveAttributes(company: Company, path: string, attributes: readonly string[]): Promise<void> {
  const record = await company.find(path);
  if (record === undefined || attributes.every((text) => record.attributes.includes(text))) return;
  await company.setAttributes(record.uid, attributes, { replace: false });
}
