import type { Property, TextPage } from '../../content/text.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { FileViews } from '../../descriptors/file-views.js';
import type { Warning } from '../../errors.js';
import type { AssemblyComponent } from '../../store/catalog/assembly-component.js';
import type { FileKind } from '../../store/catalog/record.js';
import type { TextTerms } from '../../store/catalog/file-text.js';
import type { StoredPmi } from '../../store/catalog/indexed-file.js';

/** Increased when the same bytes yield other texts, extracted attributes or triangles: files are then read again. */
export const CONTENT_VERSION = 6;

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

/** The described components of an assembly, and warnings about the others. */
export interface FileComponents {
  readonly components: readonly ComponentDescription[];
  /** Numbers of components that are copies of another one, mapped to the number of that one. */
  readonly sameAs: readonly (readonly [copy: number, number: number])[];
  readonly warnings: readonly Warning[];
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
  readonly pages: readonly TextPage[];
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
