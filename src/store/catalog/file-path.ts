/** Longest path of a file, UTF-16 units. */
export const PATH_LENGTH_LIMIT = 1024;

/**
 * The normalized path under which a company stores a file: Unicode NFC, forward slashes, no leading, trailing or double
 * slash, no `.`. It is never a path of the operating system.
 * @throws TypeError when it is no string; RangeError when it is empty, too long or invalid Unicode, or contains `..` or
 * control characters.
 */
export function normalizeFilePath(path: unknown): string {
  if (typeof path !== 'string') throw new TypeError(`path must be a string, received ${typeof path}`);
  const parts = path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const label = parts.join('/');
  if (label === '') throw new RangeError(`path must name a file, received ${JSON.stringify(path)}`);
  if (label.length > PATH_LENGTH_LIMIT) {
    throw new RangeError(`path must have at most ${PATH_LENGTH_LIMIT} characters, received ${label.length}`);
  }
  if (parts.includes('..')) throw new RangeError(`path must not contain "..", received ${JSON.stringify(path)}`);
  if (/\p{Cs}/u.test(label))
    throw new RangeError(
      `path must be valid Unicode, without half of a surrogate pair, received ${JSON.stringify(path)}`,
    );
  if (/\p{Cc}/u.test(label))
    throw new RangeError(`path must not hold control characters, received ${JSON.stringify(path)}`);
  return label;
}

/** The last part of a path. */
export function displayNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The extension in lower case with its dot; '' when there is none. `.ifz` and `.gz` include the extension before them:
 * `.step.gz`.
 */
export function extensionOf(path: string): string {
  const match = /[^.]((?:\.[^.\s]+)?\.(?:ifz|gz)|\.[^.\s]+)$/i.exec(displayNameOf(path));
  return match === null ? '' : match[1].toLowerCase();
}

/** The extension for use in file names: its letters and digits in lower case, at most 16. */
export function plainExtensionOf(path: string): string {
  return extensionOf(path)
    .replace(/[^a-z\d]/g, '')
    .slice(0, 16);
}

/** The path with a number before its extension: `Gear.jpg` with 2 is `Gear(2).jpg`. */
export function numberedPath(path: string, number: number): string {
  const extension = extensionOf(path).length;
  const stem = path.length - extension;
  return `${path.slice(0, stem)}(${number})${path.slice(stem)}`;
}

/** Whether `numbered` is {@link numberedPath} of `path` with some number from 2. */
export function isNumberedPath(numbered: string, path: string): boolean {
  const number = Number(numbered.slice(path.length - extensionOf(path).length + 1).split(')', 1)[0]);
  return Number.isSafeInteger(number) && number >= 2 && numbered === numberedPath(path, number);
}
