import type { Property, TextPage } from '../../content/text.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { FileViews } from '../../descriptors/file-views.js';
import type { Warning } from '../../errors.js';
import type { AssemblyComponent } from '../../store/catalog/assembly-component.js';
import type { FileKind } from '../../store/catalog/record.js';
import type { TextTerms } from '../../store/catalog/file-text.js';
import type { StoredPmi } from '../../store/catalog/indexed-file.js';

/** Raised when the same bytes give other texts, extracted attributes or triangles: files are then read again. */
export const CONTENT_VERSION = 6;

/** The thumbnails of a file, PNG. */
export interface FilePictures {
  readonly small: Uint8Array;
  /** Absent where it waits until somebody asks for it. */
  readonly large?: Uint8Array;
}

/** A component of an assembly, described as if it were a file. */
export interface ComponentDescription {
  /** Its place among the distinct components of the assembly. */
  readonly number: number;
  readonly name: string;
  /** Names from below the root to its first placement. */
  readonly place: readonly string[];
  readonly occurrences: number;
  /** True: it is made of several components. */
  readonly isAssembly: boolean;
  readonly shape: ShapeDescription;
  readonly views: FileViews;
}

/** The components of an assembly that were described, and what is to be said of the others. */
export interface FileComponents {
  readonly components: readonly ComponentDescription[];
  /** Numbers of components that are copies of another one, with that one's number. */
  readonly sameAs: readonly (readonly [copy: number, number: number])[];
  readonly warnings: readonly Warning[];
}

/** All that the engine keeps of a file's content. */
export interface FileDescription {
  readonly kind: FileKind;
  readonly warnings: readonly Warning[];
  /** Pages, sheets or slides with and without text; null for models. */
  readonly pageCount: number | null;
  /** Faces of a boundary representation; null where there is none. */
  readonly faceCount: number | null;
  /** The file's text; of a model the names in it, as one page. */
  readonly pages: readonly TextPage[];
  /** The terms of that text, as the index takes them. */
  readonly textTerms: TextTerms;
  /** What it says of itself. */
  readonly properties: readonly Property[];
  /** Of a model that has parts. */
  readonly assembly?: AssemblyComponent;
  /** Absent where they are not wanted, or the file is no assembly. */
  readonly components?: readonly ComponentDescription[];
  /** Absent where there is none or it is not wanted. */
  readonly shape?: ShapeDescription;
  /** Absent where they are not looked for: of documents, and where shape is not wanted. */
  readonly views?: FileViews;
  /** Of drawings alone. */
  readonly pmi?: StoredPmi;
  /** Absent where they are not wanted, or the file cannot be drawn. */
  readonly pictures?: FilePictures;
}
