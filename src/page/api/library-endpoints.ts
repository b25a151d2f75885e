import type { Company } from '../../index.js';
import { ask } from './request.js';

type FolderSummary = Awaited<ReturnType<Company['foldersIn']>>[number];
type FailureSummary = Awaited<ReturnType<Company['failures']>>[number];

// Every function throws ApiError with the server's message, and AbortError when its signal aborts.

/** Gives a file another path. Fails with 409 if another file has it. */
export const renameRecord = (uid: string, path: string) =>
  ask<boolean>('RecordPath', { fileUID: uid, path }, { method: 'PUT' });

/** The folders directly in a folder, by name, with the files in and below them. folder: '' for the uppermost. */
export const listFolders = (folder: string, signal?: AbortSignal) =>
  ask<readonly FolderSummary[]>('Folders', { folder: folder || undefined }, { signal });

/** How many files could not be read, by reason, the most frequent first. */
export const listFailures = (signal?: AbortSignal) => ask<readonly FailureSummary[]>('Failures', {}, { signal });

/** A text with words that no file has replaced by near ones, the nearest first. */
export const listSpellings = (text: string, signal?: AbortSignal) =>
  ask<readonly string[]>('Spellings', { text }, { signal });

/** Keeps a search input for so many days, for everybody of the company. Returns until when. */
export const keepInput = (uid: string, days: number) =>
  ask<string>('KeptInput', { fileUID: uid, days }, { method: 'PUT' });

/** The attributes that the company shows first. */
export const readAttributeOrder = (signal?: AbortSignal) => ask<readonly string[]>('AttributeOrder', {}, { signal });

/** Sets them; for admins. None: the usual order. */
export const setAttributeOrder = (names: readonly string[]) =>
  ask<readonly string[]>('AttributeOrder', { names: names.join() || undefined }, { method: 'PUT' });
