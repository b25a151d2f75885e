import type { WireRecord } from '../api/endpoints.js';
import { KINDS } from '../common/kind-icon.js';

/** Filters, order and layout of the library screen, as stored in the address. */
export interface LibraryState {
  readonly kind: WireRecord['kind'] | undefined;
  readonly state: WireRecord['state'] | undefined;
  readonly prefix: string;
  /** Of failed files: code of the error; '' for all. */
  readonly reason: string;
  readonly order: 'path' | 'newest' | 'oldest';
  readonly view: 'list' | 'grid';
}

export const STATES = ['indexed', 'queued', 'failed'] as const satisfies readonly WireRecord['state'][];

/** Displayed names of states. */
export const STATE_NAMES: Readonly<Record<WireRecord['state'], string>> = {
  indexed: 'Indexed',
  queued: 'Waiting',
  failed: 'Failed',
};

export function libraryOf(query: URLSearchParams): LibraryState {
  const order = query.get('order');
  return {
    kind: KINDS.find((kind) => kind === query.get('kind')),
    state: STATES.find((state) => state === query.get('state')),
    prefix: query.get('prefix') ?? '',
    reason: query.get('state') === 'failed' ? (query.get('reason') ?? '') : '',
    order: order === 'newest' || order === 'oldest' ? order : 'path',
    view: query.get('view') === 'grid' ? 'grid' : 'list',
  };
}

/** The query of the address. */
export function addressQueryOf(shown: LibraryState): Record<string, string | undefined> {
  const { kind, state, prefix, order, view } = shown;
  return {
    kind,
    state,
    prefix,
    reason: state === 'failed' ? shown.reason : undefined,
    order: order === 'path' ? undefined : order,
    view: view === 'list' ? undefined : view,
  };
}
