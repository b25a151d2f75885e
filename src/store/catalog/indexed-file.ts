import type { Warning } from '../../errors.js';
import type { AssemblyComponent, IndexedComponent } from './assembly-component.js';
import type { ExtractedAttribute } from './attribute.js';
import type { DescribedPage, TextTerms } from './file-text.js';
import type { FileKind } from './record.js';
import type { StoredShapelet } from './shapelet.js';

/**
 * Names of the descriptors that the catalogue keeps, each in a table of that name: the small ones then lie together on
 * disk and are all read when the library is opened.
 */
export type StoredDescriptor = (typeof STORED_DESCRIPTORS)[number];

export const STORED_DESCRIPTORS = ['compact', 'fine', 'surface', 'faces', 'faceWords'] as const;

/** A descriptor as it is stored. */
export interface StoredBytes {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** The result of indexing a file; it is stored in one transaction. */
export interface IndexedFile {
  readonly kind: FileKind;
  readonly warnings: readonly Warning[];
  /** Version of the readers' texts and extracted attributes. */
  readonly contentVersion: number;
  readonly faceCount: number | null;
  readonly pageCount: number | null;
  readonly pages: readonly DescribedPage[];
  readonly extracted: readonly ExtractedAttribute[];
  /** Terms of the pages; absent: derived from the pages when they are stored. */
  readonly textTerms?: TextTerms;
  /** Absent: the file has no shape, or was indexed without it. */
  readonly shape?: IndexedShape;
  /** Absent: the file was not searched for shapelets. A file without shapelets has an entry that holds none. */
  readonly views?: StoredViews;
  /** Absent: the file is no assembly. */
  readonly assembly?: AssemblyComponent;
  /** Absent: no components are searchable on their own. */
  readonly components?: readonly NewComponent[];
  /** Present for drawings only. */
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
  /** JSON in the format of the room that finds them. Absent: none were looked for. */
  readonly features?: string;
  readonly descriptors: Readonly<Record<StoredDescriptor, StoredBytes>>;
}

/** The shapelets of a file and their descriptors, to be stored. */
export interface StoredViews {
  /** Version of the descriptors. */
  readonly version: number;
  /** Descriptors of all shapelets, concatenated, all of one length. */
  readonly bytes: Uint8Array;
  /** Number of shapelets that come first and are often read without the others. Default 0. */
  readonly first?: number;
  readonly shapelets: readonly StoredShapelet[];
  /** Dimensions written on a drawing, mm. */
  readonly numbersMm: readonly number[];
  /** Extents of a model, mm. */
  readonly extentsMm: readonly number[];
  /** Descriptors of the layout of ink on the pages of drawings and images. */
  readonly layouts?: Uint8Array;
  /** The ink of the pages of drawings and images, in the format of the room that makes it. */
  readonly inks?: Uint8Array;
  /** Pictures of the shapelets, in the format of the room that makes them; null: none are kept. */
  readonly pictures: Uint8Array | null;
}

/** A component to be stored like a file. */
export interface NewComponent
  extends Pick<IndexedComponent, 'number' | 'name' | 'place' | 'occurrences' | 'isAssembly'> {
  readonly shape: IndexedShape;
  readonly views: StoredViews;
}

/** The PMI of a drawing, to be stored. */
export interface StoredPmi {
  /** Version of the extraction. */
  readonly version: number;
  /** JSON in the format of the room that makes it. */
  readonly json: string;
}

/** The versions and lengths that stored data must have to be usable. */
export interface DescriptorRules {
  readonly versions: Readonly<Record<StoredDescriptor, number>>;
  /** Byte length, for descriptors of a fixed length. */
  readonly lengths: Partial<Record<StoredDescriptor, number>>;
  /** Version of texts and extracted attributes. */
  readonly contentVersion: number;
  /** Version and byte length of a shapelet's descriptor. Absent: not required. */
  readonly views?: { readonly version: number; readonly byteLength: number };
  /** Version of the PMI of drawings. Absent: not required. */
  readonly pmiVersion?: number;
}
