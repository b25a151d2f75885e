import type { Content } from '../../content/content.js';
import type { Document } from '../../content/document.js';
import type { TextPage } from '../../content/text.js';
import { EngineError, fileMalformed, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { writeHtml } from './html.js';
import { decodedBody, decodeField, readMime, type MimePart } from './mime.js';
import { joinPages, PageWriter } from '../text/page-writer.js';
import { PropertyList } from '../metadata/property-list.js';
import { sniff } from '../package/sniff.js';
import { decodeText } from '../text/text-encoding.js';

/** Reads a file inside another one; their limits apply to both together. */
export type ReadInner = (bytes: Uint8Array, name: string) => Promise<Content>;

/**
 * Formats of attachments whose text is read. Models and pictures are left out, because they are not text of the
 * message.
 */
const READ: readonly (string | undefined)[] = 'txt markdown csv html pdf docx xlsx pptx odt ods odp rtf eml'.split(' ');

/** Header fields that become properties; a message has at least one. */
const FIELDS = ['Subject', 'From', 'To', 'Cc', 'Date'];

/**
 * Reads an Internet message (RFC 5322, MIME). Page 1 is its text, plain or else from its HTML, with forwarded messages
 * in place. The pages of attached documents follow, named after their files. Subject, From, To, Cc and Date are
 * properties.
 *
 * @param budget bounds the decoded size of attachments and forwarded messages.
 * @param read reads an attachment.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function readEml(
  bytes: Uint8Array,
  { limits }: ReadOptions,
  { budget, read }: { readonly budget: UnpackBudget; readonly read: ReadInner },
): Promise<Document> {
  const message = await readMime(bytes, limits, budget);
  if (!FIELDS.some((name) => message.headers.has(name.toLowerCase()))) {
    throw fileMalformed(`a message begins with header fields, found none of ${FIELDS.join(', ')}`);
  }
  const body = new MessageBody(limits);
  body.write(message);
  const { pages, warnings } = body.finish();
  const attached: TextPage[] = [];
  const unread: string[] = [];
  for (const part of body.attachments) {
    const name = part.fileName === '' ? 'attachment' : part.fileName;
    const inner = decodedBody(part, budget);
    if (!READ.includes(sniff(inner, name))) {
      // Parts with a Content-ID belong to the HTML of the message; they are not attachments.
      if (!part.headers.has('content-id')) unread.push(name);
      continue;
    }
    try {
      const found = await read(inner, name);
      if (found.kind !== 'model')
        attached.push(
          ...found.pages.map((page) => ({ ...page, name: page.name === '' ? name : `${name}: ${page.name}` })),
        );
      warnings.push(...found.warnings);
    } catch (failure) {
      // One bad attachment does not fail the message, but limits apply to the whole.
      if (!(failure instanceof EngineError) || failure.code === 'LIMIT_EXCEEDED') throw failure;
      warnings.push(warning('CONTENT_SKIPPED', `an attachment could not be read: ${failure.message}`));
    }
  }
  if (unread.length > 0) {
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `${unread.length} attachments are no documents and were left out, ` +
          `${JSON.stringify(unread[0].slice(0, 200))} among them`,
      ),
    );
  }
  const joined = joinPages([...pages, ...attached], limits);
  return {
    kind: 'document',
    format: 'eml',
    pages: joined.pages,
    properties: propertiesOf(message).properties,
    warnings: [...warnings, ...joined.warnings],
  };
}

/** Writes the text of a message and collects its attachments. */
class MessageBody {
  readonly attachments: MimePart[] = [];
  readonly #limits: Limits;
  readonly #writer: PageWriter;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#writer = new PageWriter('eml', limits);
  }

  write(part: MimePart): void {
    const { type, parts } = part;
    if (type === 'message/rfc822') parts.forEach((inner) => this.#forwarded(inner));
    else if (part.isAttachment || (part.fileName !== '' && !type.startsWith('multipart/'))) this.attachments.push(part);
    else if (type === 'multipart/alternative' && parts.length > 0) this.#alternative(parts);
    else if (parts.length > 0) parts.forEach((inner) => this.write(inner));
    else if (type === 'text/html') this.#html(part);
    // A multipart without parts, because its boundary is missing or wrong, is read as plain text.
    else if (type === 'text/plain' || type === '' || type.startsWith('multipart/')) this.#plain(this.#textOf(part));
    else this.attachments.push(part);
  }

  finish(): { pages: TextPage[]; warnings: Warning[] } {
    return this.#writer.finish();
  }

  /**
   * Writes one of several alternatives: plain text unless it is blank. Attachments of the others are collected too.
   */
  #alternative(parts: readonly MimePart[]): void {
    const plain = parts.find(({ type, fileName }) => type === 'text/plain' && fileName === '');
    const text = plain === undefined ? '' : this.#textOf(plain);
    if (text.trim() === '') return parts.forEach((part) => part !== plain && this.write(part));
    this.#plain(text);
    const others = parts.filter((part) => part !== plain);
    for (let part = others.pop(); part !== undefined; part = others.pop()) {
      if (part.fileName !== '') this.attachments.push(part);
      for (const inner of part.parts.toReversed()) others.push(inner);
    }
  }

  #forwarded(message: MimePart): void {
    this.#writer.row();
    for (const { name, value } of propertiesOf(message).properties) {
      this.#writer.write(`${name}: ${value}`);
      this.#writer.line();
    }
    this.write(message);
  }

  #plain(text: string): void {
    this.#writer.row();
    this.#writer.write(text);
    this.#writer.row();
  }

  #html(part: MimePart): void {
    this.#writer.row();
    writeHtml(this.#textOf(part), this.#writer, new PropertyList());
    this.#writer.row();
  }

  #textOf(part: MimePart): string {
    return decodeText(decodedBody(part), 16 * this.#limits.textCharacters, part.charset);
  }
}

function propertiesOf({ headers }: MimePart): PropertyList {
  const list = new PropertyList();
  for (const name of FIELDS) {
    const value = decodeField(headers.get(name.toLowerCase())?.slice(0, LONGEST_FIELD) ?? '');
    list.add(name, name === 'Date' ? dateOf(value) : value);
  }
  return list;
}

/** Most characters of a header field that are read, enough for some thousand addresses. */
const LONGEST_FIELD = 100_000;

/**
 * The date in ISO 8601 and UTC; unchanged when it states no time zone, because it would depend on this machine's zone.
 */
function dateOf(written: string): string {
  const date = new Date(written.replace(/\([^()]{0,100}\)/g, ''));
  return Number.isNaN(date.getTime()) || !/[+-]\d{4}\b|\b(UTC?|GMT|[ECMP][SD]T)\b/.test(written)
    ? written
    : date.toISOString();
}
