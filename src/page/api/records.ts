import type { CompanyListOptions, CompanySummary } from '../../index.js';
import { sendBytes, sendForJson, type SendBytesOptions } from './request.js';
import type { WireInput, WireRecord } from './wire.js';

/** The record of a file or a search input. @throws ApiError 404. */
export function readRecord(uid: string, signal?: AbortSignal): Promise<WireRecord> {
  return sendForJson<WireRecord>('Record', { query: { fileUID: uid }, signal });
}

/** Records in an order, page by page: `after` is the path (or the arrival) of the last one had. */
export function listRecords(
  { category, ...query }: CompanyListOptions,
  signal?: AbortSignal,
): Promise<readonly WireRecord[]> {
  return sendForJson<readonly WireRecord[]>('Records', {
    query: { ...query, category: category ?? undefined },
    signal,
  });
}

/** How many files there are, by kind and state. */
export function readSummary(signal?: AbortSignal): Promise<CompanySummary> {
  return sendForJson<CompanySummary>('Status', { signal });
}

/** Stores a file under a path and indexes it; answers when it is stored (state 'queued'). @throws ApiError. */
export function putRecord(path: string, bytes: Blob, options?: SendBytesOptions): Promise<WireRecord> {
  return sendBytes<WireRecord>('Record', bytes, { ...options, query: { path } });
}

/** Stores a file to search with and answers when it is read: its `state` is then 'indexed' or 'failed'. @throws ApiError. */
export function putInput(name: string, bytes: Blob, options?: SendBytesOptions): Promise<WireInput> {
  return sendBytes<WireInput>('Input', bytes, { ...options, query: { name } });
}

/** Reads a failed file once more. Returns its record, queued. */
export async function retryRecord(uid: string): Promise<WireRecord> {
  await sendForJson<number>('Retry', { method: 'POST', query: { fileUID: uid } });
  return readRecord(uid);
}

/** Reads all failed files once more. Returns how many were queued. */
export function retryAll(): Promise<number> {
  return sendForJson<number>('Retry', { method: 'POST' });
}

/** Removes a file of the company, or a search input. @throws ApiError 403 for who may not. */
export function removeRecord(uid: string): Promise<boolean> {
  return sendForJson<boolean>('File', { method: 'DELETE', query: { fileUID: uid } });
}

/** Extensions of the files that are read, with their dots. */
export function readExtensions(signal?: AbortSignal): Promise<readonly string[]> {
  return sendForJson<readonly string[]>('ValidUploadFileTypes', { signal });
}
