import type { Warning } from '../../errors.js';
import type { AssemblyComponent, IndexedComponent } from './assembly-component.js';
import type { ExtractedAttribute } from './attribute.js';
import type { StoredPage, TextTerms } from './file-text.js';
import type { FileKind } from './record.js';
import type { StoredShapelet } from './shapelet.js';

/**
 * Names of the descriptors that the catalogue keeps, each in a table of that name: the small ones then lie together on
 * disk and are all read when the library is opened.
 */
export type StoredDescriptor = 'compact' | 'fine' | 'surface';

/** A descriptor as it is stored. */
export interface StoredBytes {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** What indexing a file gave, to be stored whole. */
export interface IndexedFile {
  readonly kind: FileKind;
  readonly warnings: readonly Warning[];
  /** Version of the readers' texts and extracted attributes. */
  readonly contentVersion: number;
  readonly faceCount: number | null;
  readonly pageCount: number | null;
  readonly pages: readonly StoredPage[];
  readonly extracted: readonly ExtractedAttribute[];
  /** Of the pages; absent: made of them when they are stored. */
  readonly textTerms?: TextTerms;
  /** Absent: the file has no shape, or it is not wanted. */
  readonly shape?: IndexedShape;
  /** Absent: no shapelets were looked for. Without any, a row still says that they were. */
  readonly views?: StoredViews;
  /** Absent: it is no assembly. */
  readonly assembly?: AssemblyComponent;
  /** Absent: none are found by themselves. */
  readonly components?: readonly NewComponent[];
  /** Of drawings alone. */
  readonly pmi?: StoredPmi;
}

/** The shape of an indexed model. */
export interface IndexedShape {
  readonly triangleCount: number;
  readonly componentCount: number;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  readonly descriptors: Readonly<Record<StoredDescriptor, StoredBytes>>;
}

/** The shapelets of a file with what describes them, to be stored. */
export interface StoredViews {
  /** Of the descriptors. */
  readonly version: number;
  /** Descriptors of all shapelets, one after another, all of one length. */
  readonly bytes: Uint8Array;
  readonly shapelets: readonly StoredShapelet[];
  /** Lengths that a drawing states, mm. */
  readonly numbersMm: readonly number[];
  /** Extents of a model, mm. */
  readonly extentsMm: readonly number[];
  /** Of drawings and images: how ink lies on their pages. */
  readonly layouts?: Uint8Array;
  /** Pictures of the shapelets in the form of who made them; null: none are kept. */
  readonly pictures: Uint8Array | null;
}

/** A component to be stored, as if it were a file. */
export interface NewComponent
  extends Pick<IndexedComponent, 'number' | 'name' | 'place' | 'occurrences' | 'isAssembly'> {
  readonly shape: IndexedShape;
  readonly views: StoredViews;
}

/** What annotates a drawing, to be stored. */
export interface StoredPmi {
  /** Of what extracted it. */
  readonly version: number;
  /** JSON in the form of who made it. */
  readonly json: string;
}

/** What descriptors must look like to be of use. */
export interface DescriptorRules {
  readonly versions: Readonly<Record<StoredDescriptor, number>>;
  /** Byte length where it is fixed. */
  readonly lengths: Partial<Record<StoredDescriptor, number>>;
  /** Of texts and extracted attributes. */
  readonly contentVersion: number;
  /** Of the descriptors of shapelets, and bytes of one. Absent: files are good without. */
  readonly views?: { readonly version: number; readonly byteLength: number };
  /** Version of the PMI of drawings. Absent: files are good without. */
  readonly pmiVersion?: number;
}
