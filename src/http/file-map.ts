import { z } from '@hono/zod-openapi';
import type { FileKind, FileRecord } from '../index.js';
import type { Call } from './call.js';

/** Integers of `FileType`. */
export const FILE_TYPES: Readonly<Record<FileKind, number>> = Object.freeze({ Text: 0, Image: 1, TwoD: 2, ThreeD: 3 });

const text = z.string().nullable();

/** A file in an assembly relation. */
export const AssemblyItem = z.object({ uid: text, fileName: text, thumbnailURL: text, viewerURL: text }).openapi('AssemblyItem');

const Box = z.object({ X: z.number(), Y: z.number(), Width: z.number(), Height: z.number() });

/** One shape of a file: on a drawing's page a box, of a model a view. */
export const Shapelet = z.object({
  Index: z.int(),
  Page: z.int().optional(),
  Box: Box.optional(),
  Scale: z.number().optional(),
  Camera: z.object({ X: z.number(), Y: z.number(), Z: z.number() }).optional(),
  ThumbnailURL: text,
}).openapi('Shapelet');

/** A file record. */
export const FileMap = z.object({
  UID: z.string(),
  SpaceID: z.string().openapi({ description: 'UID of the company.' }),
  FileName: z.string().openapi({ description: 'Full stored path.' }),
  DisplayName: z.string(),
  Attributes: z.array(z.string()).openapi({ description: '`name=value` or `name(unit)=value`; several values joined by `|`.' }),
  ExtractedAttributes: z.array(z.string()),
  ThumbNailURLFromID: text,
  PNGURLFromID: text,
  PDFUrl: text,
  HasThumbnail: z.boolean(),
  IndexingFinished: z.boolean(),
  AssemblyParents: z.array(AssemblyItem).nullable(),
  AssemblyChildren: z.array(AssemblyItem).nullable(),
  FileType: z.int().openapi({ description: '0 Text, 1 Image, 2 TwoD, 3 ThreeD.' }),
  CategoryID: z.int().openapi({ description: '-1: none.' }),
  DateAdded: z.string().openapi({ format: 'date-time' }),
  Volume: z.number().nullable().openapi({ description: 'mm³; null when the file has no shape.' }),
  BBVolume: z.number().nullable().openapi({ description: 'mm³ of the smallest box in any orientation.' }),
  SurfaceArea: z.number().nullable().openapi({ description: 'mm².' }),
  PageCount: z.int().nullable(),
  Shapelets: z.array(Shapelet).nullable().optional().openapi({ description: 'With includeShapelets=true.' }),
}).openapi('FileMap');

/** Whether the engine can draw a file. */
export function hasPicture({ state, triangleCount }: Pick<FileRecord, 'state' | 'triangleCount'>): boolean {
  return state === 'indexed' && triangleCount !== null;
}

/** Links to the pictures of a file, good for some minutes: small and large. */
export async function pictureLinks<Query>(call: Call<Query>, uid: string): Promise<{ small: string; large: string }> {
  const token = await call.engine.accounts.imageToken(call.companyName, uid);
  return { small: call.link('Image', { fid: uid, token, type: '0' }), large: call.link('Image', { fid: uid, token, type: '1' }) };
}

/** The wire form of a record. */
export async function fileMapOf<Query>(call: Call<Query>, record: FileRecord, { includeShapelets }: { includeShapelets: boolean }): Promise<z.output<typeof FileMap>> {
  const account = await call.engine.accounts.companyNamed(call.companyName);
  const drawn = hasPicture(record);
  const links = drawn ? await pictureLinks(call, record.uid) : undefined;
  return {
    UID: record.uid,
    SpaceID: account?.uid ?? '',
    FileName: record.path,
    DisplayName: record.displayName,
    Attributes: [...record.attributes],
    ExtractedAttributes: [...record.extractedAttributes],
    ThumbNailURLFromID: links?.small ?? null,
    PNGURLFromID: links?.large ?? null,
    PDFUrl: null,
    HasThumbnail: drawn,
    IndexingFinished: record.state === 'indexed',
    AssemblyParents: null,
    AssemblyChildren: null,
    FileType: FILE_TYPES[record.kind],
    CategoryID: record.categoryId ?? -1,
    DateAdded: record.addedAt.toISOString(),
    Volume: record.volumeMm3,
    BBVolume: record.bboxVolumeMm3,
    SurfaceArea: record.surfaceAreaMm2,
    PageCount: record.pageCount,
    ...(includeShapelets ? { Shapelets: [] } : {}),
  };
}
