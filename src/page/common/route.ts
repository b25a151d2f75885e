import { signal } from '@preact/signals';

/** The current address: the path segments of the hash, and its query. */
export interface Route {
  /** `#/file/UID` is ['file', 'UID']; `#/` is []. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** The current address. Only {@link goTo} and the browser change it. */
export const route = signal(readHash(location.hash));

addEventListener('hashchange', () => {
  route.value = readHash(location.hash);
});

/** Addresses of the screens, for links. */
export const HREF = {
  search: (query: Readonly<Record<string, string | readonly string[] | undefined>> = {}): string =>
    `#/${queryText(query)}`,
  file: (uid: string, query: Readonly<Record<string, string | undefined>> = {}): string =>
    `#/file/${uid}${queryText(query)}`,
  compare: (uid: string, otherUid: string): string => `#/compare/${uid}/${otherUid}`,
  library: (query: Readonly<Record<string, string | undefined>> = {}): string => `#/library${queryText(query)}`,
  /** A sheet of what a search finds, or of these files. */
  sheet: (query: Readonly<Record<string, string | readonly string[] | undefined>>): string =>
    `#/sheet${queryText(query)}`,
  duplicates: '#/duplicates',
  upload: '#/upload',
  searches: '#/searches',
  account: '#/account',
} as const;

/** Opens a screen. replace: true replaces the current history entry, so that the Back button skips it. */
export function goTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = href;
    return;
  }
  history.replaceState(history.state, '', href);
  route.value = readHash(location.hash);
}

function readHash(hash: string): Route {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    return text;
  }
}

function queryText(query: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one !== '') pairs.append(name, one);
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}
