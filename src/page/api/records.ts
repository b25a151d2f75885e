import type { CompanyListOptions, CompanySummary } from '../../index.js';
import { sendBytes, sendForJson, type SendBytesOptions } from './request.js';
import type { WireInput, WireRecord } from './wire.js';

/** The record of a file or a search input. @throws ApiError 404. */
export function readRecord(uid: string, signal?: AbortSignal): Promise<WireRecord> {
  return sendForJson<WireRecord>('Record', { query: { fileUID: uid }, signal });
}

/** One page of records. after: path of the last record of the previous page, or its `arrival` when ordered by date. */
export function listRecords(
  { category, ...query }: CompanyListOptions,
  signal?: AbortSignal,
): Promise<readonly WireRecord[]> {
  return sendForJson<readonly WireRecord[]>('Records', {
    query: { ...query, category: category ?? undefined },
    signal,
  });
}

/** The number of files by kind and state. */
export function readSummary(signal?: AbortSignal): Promise<CompanySummary> {
  return sendForJson<CompanySummary>('Status', { signal });
}

/** Stores a file under a path. Resolves when it is stored; it is indexed later (state 'queued'). @throws ApiError. */
export function putRecord(path: string, bytes: Blob, options?: SendBytesOptions): Promise<WireRecord> {
  return sendBytes<WireRecord>('Record', bytes, { ...options, query: { path } });
}

/** Stores a search input. Resolves when it has been read: its `state` is 'indexed' or 'failed'. @throws ApiError. */
export function putInput(name: string, bytes: Blob, options?: SendBytesOptions): Promise<WireInput> {
  return sendBytes<WireInput>('Input', bytes, { ...options, query: { name } });
}

/** Queues a failed file to be read again. Returns its record. */
export async function retryRecord(uid: string): Promise<WireRecord> {
  await sendForJson<number>('Retry', { method: 'POST', query: { fileUID: uid } });
  return readRecord(uid);
}

/** Queues all failed files to be read again. Returns how many. */
export function retryAll(): Promise<number> {
  return sendForJson<number>('Retry', { method: 'POST' });
}

/** Removes a file of the company, or a search input. @throws ApiError 403 without the permission. */
export function removeRecord(uid: string): Promise<boolean> {
  return sendForJson<boolean>('File', { method: 'DELETE', query: { fileUID: uid } });
}

/** File name extensions that the engine reads, with their dots. */
export function readExtensions(signal?: AbortSignal): Promise<readonly string[]> {
  return sendForJson<readonly string[]>('ValidUploadFileTypes', { signal });
}
