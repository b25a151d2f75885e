import type { Property } from '../../content/text.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { FileViews } from '../../descriptors/file-views.js';
import type { Warning } from '../../errors.js';
import type { AssemblyComponent } from '../../store/catalog/assembly-component.js';
import type { FileKind } from '../../store/catalog/record.js';
import type { DescribedPage, TextTerms } from '../../store/catalog/file-text.js';
import type { StoredPmi } from '../../store/catalog/indexed-file.js';
import { VIEWS_VERSION } from '../../descriptors/views.js';

/**
 * Increased when the same bytes yield other texts, extracted attributes, triangles, figures or features: files are then
 * read again.
 */
export const CONTENT_VERSION = 24;

/** The thumbnails of a file, PNG. */
export interface FilePictures {
  readonly small: Uint8Array;
  /** Absent when it is drawn on the first request. */
  readonly large?: Uint8Array;
}

/** A component of an assembly, described like a file. */
export interface ComponentDescription {
  /** Its number among the distinct components of the assembly. */
  readonly number: number;
  readonly name: string;
  /** Names on the path from below the root to its first placement. */
  readonly place: readonly string[];
  readonly occurrences: number;
  /** True: it consists of several components. */
  readonly isAssembly: boolean;
  readonly shape: ShapeDescription;
  readonly views: FileViews;
}

/** Everything that the engine stores about a file's content. */
export interface FileDescription {
  readonly kind: FileKind;
  readonly warnings: readonly Warning[];
  /** Number of pages, sheets or slides, with and without text; null for models. */
  readonly pageCount: number | null;
  /** Number of faces of a boundary representation; null when there is none. */
  readonly faceCount: number | null;
  /** The file's text; for a model, the names in it, as one page. */
  readonly pages: readonly DescribedPage[];
  /** The terms of that text, in the form that the index stores. */
  readonly textTerms: TextTerms;
  /** Attributes that were extracted from the file. */
  readonly properties: readonly Property[];
  /** Product structure of a model that has parts. */
  readonly assembly?: AssemblyComponent;
  /** Absent when components are not requested or the file is not an assembly. */
  readonly components?: readonly ComponentDescription[];
  /** Absent when the file has no shape or it is not requested. */
  readonly shape?: ShapeDescription;
  /** Absent when views are not searched: for documents, and when no shape is requested. */
  readonly views?: FileViews;
  /** Present only for drawings. */
  readonly pmi?: StoredPmi;
  /** Absent when thumbnails are not requested or the file cannot be drawn. */
  readonly pictures?: FilePictures;
}

/** Stored for a file whose shapelets could not be found. */
export const NO_VIEWS: FileViews = Object.freeze({
  version: VIEWS_VERSION,
  bytes: new Uint8Array(),
  shapelets: [],
  numbersMm: [],
  extentsMm: [],
  pictures: null,
});

/** What is found after the rest of the description is complete, in this order. */
export type LaterPart = 'views' | 'components' | 'pictures';

/**
 * A description whose later part could not be found, with a warning. Empty views are stored, so that the file is not
 * read again for them until the version of the view search changes; pictures are drawn when they are requested.
 */
export function without(file: FileDescription, part: LaterPart | undefined, why: string): FileDescription {
  const warned = (message: string): readonly Warning[] => [...file.warnings, { code: 'CONTENT_SKIPPED', message }];
  if (part === 'views') {
    const message = `the file is not found by its views, because looking for them failed: ${why}`;
    return { ...file, warnings: warned(message), views: NO_VIEWS };
  }
  if (part !== 'components') return file;
  const message = `the components are not found by themselves, because describing them failed: ${why}`;
  return { ...file, warnings: warned(message), components: [] };
}
