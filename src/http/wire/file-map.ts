import { z } from '@hono/zod-openapi';
import type { FileKind, FileRecord, StoredShapelet } from '../../index.js';
import { AssemblyItem, assemblyChildren, assemblyParents } from './assembly-items.js';
import type { Call } from '../server/call.js';
import { pictureLinks } from './picture-links.js';

/** Integers of `FileType`. */
export const FILE_TYPES: Readonly<Record<FileKind, number>> = Object.freeze({ Text: 0, Image: 1, TwoD: 2, ThreeD: 3 });

const text = z.string().nullable();

const Box = z.object({ X: z.number(), Y: z.number(), Width: z.number(), Height: z.number() });

/** One shape of a file: a box on a page, or a camera view of a model. */
export const Shapelet = z
  .object({
    Index: z.int(),
    Page: z.int().optional().openapi({ description: 'From 1.' }),
    Box: Box.optional().openapi({ description: 'Shares of the page, origin upper left.' }),
    Scale: z.number().optional().openapi({ description: 'Millimetres of a pixel, 60 of which are the longest side.' }),
    Camera: z
      .object({ X: z.number(), Y: z.number(), Z: z.number() })
      .optional()
      .openapi({ description: 'Unit vector from the model towards the camera.' }),
    ThumbnailURL: text,
  })
  .openapi('Shapelet');

/** A file record. */
export const FileMap = z
  .object({
    UID: z.string(),
    SpaceID: z.string().openapi({ description: 'UID of the company.' }),
    FileName: z.string().openapi({ description: 'Full stored path.' }),
    DisplayName: z.string(),
    Attributes: z
      .array(z.string())
      .openapi({ description: '`name=value` or `name(unit)=value`; several values joined by `|`.' }),
    ExtractedAttributes: z.array(z.string()),
    ThumbNailURLFromID: text,
    PNGURLFromID: text,
    PDFUrl: text.openapi({
      description: 'The page that shows the pages of a PDF file; null for others, and where no page is served.',
    }),
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
    Warnings: z.array(z.string()).openapi({
      description: 'Not in the original interface: what was noticed when the file was read, as `CODE: sentence`.',
    }),
    Shapelets: z.array(Shapelet).nullable().optional().openapi({ description: 'With includeShapelets=true.' }),
  })
  .openapi('FileMap');

/** Whether a file has a picture: every indexed file except a model without a shape. */
export function hasPicture({
  state,
  kind,
  triangleCount,
}: Pick<FileRecord, 'state' | 'kind' | 'triangleCount'>): boolean {
  return state === 'indexed' && (kind !== 'ThreeD' || triangleCount !== null);
}

/** The wire form of shapelets. lgFileNumber: only those of this page, or only this view of a model, from 1. */
export async function shapeletsOf<Query>(
  call: Call<Query>,
  uid: string,
  shapelets: readonly StoredShapelet[],
  lgFileNumber = '',
): Promise<z.output<typeof Shapelet>[]> {
  if (shapelets.length === 0) return [];
  const token = await call.engine.accounts.imageToken(call.companyName, uid);
  const all = shapelets.map(
    ({ place }, index): z.output<typeof Shapelet> => ({
      Index: index,
      ...(place.kind === 'page'
        ? {
            Page: place.page,
            Box: { X: place.box.x, Y: place.box.y, Width: place.box.width, Height: place.box.height },
          }
        : {
            Scale: place.scaleMmPerPixel,
            Camera: { X: place.direction[0], Y: place.direction[1], Z: place.direction[2] },
          }),
      ThumbnailURL: call.link('Image', { fid: uid, token, type: '2', shapeIndex: String(index) }),
    }),
  );
  const wanted = /^\s*\d+\s*$/.test(lgFileNumber) ? Number(lgFileNumber) : undefined;
  return wanted === undefined ? all : all.filter(({ Index, Page }) => (Page ?? Index + 1) === wanted);
}

/** Which shapes of a file are returned. */
export interface ShapeletWishes {
  readonly includeShapelets: boolean;
  readonly lgFileNumber?: string;
}

/** The wire form of a record. */
export async function fileMapOf<Query>(
  call: Call<Query>,
  record: FileRecord,
  { includeShapelets, lgFileNumber }: ShapeletWishes,
): Promise<z.output<typeof FileMap>> {
  const account = await call.engine.accounts.companyNamed(call.companyName);
  const drawn = hasPicture(record);
  const links = drawn ? await pictureLinks(call, record.uid, lgFileNumber) : undefined;
  return {
    UID: record.uid,
    SpaceID: account?.uid ?? '',
    FileName: record.path,
    DisplayName: record.displayName,
    Attributes: [...record.attributes],
    ExtractedAttributes: [...record.extractedAttributes],
    ThumbNailURLFromID: links?.small ?? null,
    PNGURLFromID: links?.large ?? null,
    PDFUrl: record.extension === '.pdf' ? call.pageLink(record.uid) : null,
    HasThumbnail: drawn,
    IndexingFinished: record.state === 'indexed',
    AssemblyParents: await assemblyParents(call, record),
    AssemblyChildren: await assemblyChildren(call, record),
    FileType: FILE_TYPES[record.kind],
    CategoryID: record.categoryId ?? -1,
    DateAdded: record.addedAt.toISOString(),
    Volume: record.volumeMm3,
    BBVolume: record.bboxVolumeMm3,
    SurfaceArea: record.surfaceAreaMm2,
    PageCount: record.pageCount,
    Warnings: record.warnings.map(({ code, message }) => `${code}: ${message}`),
    ...(includeShapelets
      ? {
          Shapelets: await shapeletsOf(
            call,
            record.uid,
            await (await call.company()).shapelets(record.uid),
            lgFileNumber,
          ),
        }
      : {}),
  };
}
