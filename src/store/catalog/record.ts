import type { ErrorCode, ErrorDetails, Warning } from '../../errors.js';
import { storedJson } from '../database/stored-json.js';
import { displayNameOf } from './file-path.js';

/** Waiting for a worker or being read; searchable; or failed with an error. */
export type FileState = 'queued' | 'indexed' | 'failed';

/** Priority in the queue: 3 is normal; 4 waits until no 3 is left. */
export type Priority = 3 | 4;

/** Kind of a file by its content: document, image, drawing or model. */
export type FileKind = 'Text' | 'Image' | 'TwoD' | 'ThreeD';

/** Number of a company's files by kind. */
export type KindCounts = Readonly<Record<FileKind | 'total', number>>;

/** Why a file failed. */
export interface FileError {
  readonly code: ErrorCode;
  readonly message: string;
  /**
   * Facts for a program to read, such as `limit`, `allowed` and `found`; absent for files that failed before they were
   * kept.
   */
  readonly details?: ErrorDetails;
}

/** A stored file. Figures are null until it is indexed. */
export interface FileRecord {
  /** GUID, lower case; kept when the file's bytes are replaced. */
  readonly uid: string;
  /** The label it is stored under, unique in its company. */
  readonly path: string;
  /** The last part of the path. */
  readonly displayName: string;
  /** Lower case, with its dot; '' when there is none. */
  readonly extension: string;
  /** Until the file is indexed, guessed from its extension. */
  readonly kind: FileKind;
  readonly state: FileState;
  /** Set when the state is 'failed'. */
  readonly error: FileError | null;
  readonly warnings: readonly Warning[];
  readonly byteLength: number;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string;
  /** As given: `name=value` or `name(unit)=value`; several values of one name are joined by `|`. */
  readonly attributes: readonly string[];
  /** Attributes found in the file, `name=value` or `name(unit)=value`. */
  readonly extractedAttributes: readonly string[];
  /** True: the file was indexed without its shape and is found by text and attributes only. */
  readonly textOnly: boolean;
  /** True: the parts of an assembly are searchable on their own, in searches that ask for components. */
  readonly indexAssemblyComponents: boolean;
  readonly priority: Priority;
  /** Id of its category; null: it has none. */
  readonly categoryId: number | null;
  readonly addedAt: Date;
  /** Grows with every file that is put, whatever the clock says: the order of arrival in the whole library. */
  readonly arrival: number;
  readonly indexedAt: Date | null;
  readonly volumeMm3: number | null;
  /** Volume of the smallest box in any orientation. */
  readonly bboxVolumeMm3: number | null;
  /** Edges of that box, descending. */
  readonly bboxSizeMm: readonly [number, number, number] | null;
  readonly surfaceAreaMm2: number | null;
  readonly triangleCount: number | null;
  readonly componentCount: number | null;
  /** Faces of a boundary representation; null for meshes. */
  readonly faceCount: number | null;
  /** Pages, sheets or slides; null for models. */
  readonly pageCount: number | null;
}

/** An indexed file whose stored data are missing or of another version. */
export interface StaleFile {
  readonly fileId: number;
  readonly companyId: number;
  readonly company: string;
  readonly uid: string;
  readonly path: string;
  readonly priority: Priority;
}

/** A row of the table `file`. */
export interface FileRow {
  id: number;
  company_id: number;
  uid: string;
  path: string;
  extension: string;
  kind: FileKind;
  blob_hash: string;
  byte_length: number;
  source_mtime_ms: number | null;
  state: FileState;
  priority: Priority;
  added_at: number;
  indexed_at: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  error_details: string | null;
  warnings: string;
  triangle_count: number | null;
  component_count: number | null;
  volume_mm3: number | null;
  bbox_volume_mm3: number | null;
  bbox_length_mm: number | null;
  bbox_width_mm: number | null;
  bbox_height_mm: number | null;
  surface_area_mm2: number | null;
  text_only: 0 | 1;
  components: 0 | 1;
  face_count: number | null;
  page_count: number | null;
  category_id: number | null;
}

function errorOf({ error_code: code, error_message, error_details: details }: FileRow): FileError | null {
  if (code === null) return null;
  const error = { code, message: error_message ?? '' };
  return details === null ? error : { ...error, details: storedJson<ErrorDetails>(details, 'the error of a file') };
}

/** The public form of a row and its attributes. */
export function recordOf(
  row: FileRow,
  attributes: readonly string[],
  extractedAttributes: readonly string[],
): FileRecord {
  const { bbox_length_mm: length, bbox_width_mm: width, bbox_height_mm: height } = row;
  return {
    uid: row.uid,
    path: row.path,
    displayName: displayNameOf(row.path),
    extension: row.extension,
    kind: row.kind,
    state: row.state,
    error: errorOf(row),
    warnings: storedJson<Warning[]>(row.warnings, 'the warnings of a file'),
    byteLength: row.byte_length,
    sha256: row.blob_hash,
    attributes,
    extractedAttributes,
    textOnly: row.text_only === 1,
    indexAssemblyComponents: row.components === 1,
    priority: row.priority,
    categoryId: row.category_id,
    addedAt: new Date(row.added_at),
    arrival: row.id,
    indexedAt: row.indexed_at === null ? null : new Date(row.indexed_at),
    volumeMm3: row.volume_mm3,
    bboxVolumeMm3: row.bbox_volume_mm3,
    bboxSizeMm: length === null || width === null || height === null ? null : [length, width, height],
    surfaceAreaMm2: row.surface_area_mm2,
    triangleCount: row.triangle_count,
    componentCount: row.component_count,
    faceCount: row.face_count,
    pageCount: row.page_count,
  };
}
