import type { LengthUnit } from '../content/units.js';
import type { ConvertedModel } from '../convert/conversion-format.js';
import type { CheckedDeviationOptions, DeviationModel } from '../convert/deviation-options.js';
import { DEFAULT_MODEL_OPTIONS, LARGEST_KEPT_MODEL, modelName, type ModelOptions } from '../convert/model-options.js';
import type { FileSources } from '../indexing/file-sources.js';
import type { WorkerPool } from '../indexing/pool/pool.js';
import type { KeptPictures } from '../pictures/kept-pictures.js';
import { EngineError } from '../errors.js';
import type { SeenInputs } from '../store/catalog/seen-inputs.js';
import type { ConvertedFile, ConvertOptions, NamedBytes } from './convert-options.js';
import { keyOf } from './pictures.js';

/**
 * What {@link Models} works with.
 * @internal
 */
interface ModelsParts {
  readonly companyId: number;
  readonly seen: SeenInputs;
  readonly pool: WorkerPool;
  readonly sources: FileSources;
  readonly kept: KeptPictures;
  /** Unit for formats that state none, unless the company has set one. */
  readonly defaultUnit: LengthUnit;
}

/**
 * Writes and compares models in workers.
 * @internal
 */
export class CompanyModels {
  readonly #parts: ModelsParts;

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  /** A stored model as GLB; the GLB of the default options is cached. */
  async glb(uid: string, { triangles }: ModelOptions): Promise<Uint8Array> {
    const { companyId, seen, pool, sources, kept, defaultUnit } = this.#parts;
    const of = await sources.stored(companyId, uid, seen);
    const write = (): Promise<Uint8Array> => sources.read(pool, { kind: 'model', of, triangles });
    if (triangles !== DEFAULT_MODEL_OPTIONS.triangles || of.kind !== 'stored') return write();
    return kept.read(keyOf(of, modelName(of.name, of.unit ?? defaultUnit)), write, LARGEST_KEPT_MODEL);
  }

  async deviations(
    first: string,
    second: string,
    { signal, transform, samples, withModel }: CheckedDeviationOptions,
  ): Promise<DeviationModel> {
    const { companyId, seen, pool, sources } = this.#parts;
    const wishes = { samples, withModel, ...(transform === undefined ? {} : { transform: Array.from(transform) }) };
    const of = await sources.stored(companyId, first, seen);
    const other = await sources.stored(companyId, second, seen);
    return sources.read(pool, { kind: 'deviations', of, other, wishes }, signal);
  }

  /** Converts files: one result for each, in their order, under distinct names. */
  async convertFiles(files: readonly NamedBytes[], options: ConvertOptions): Promise<ConvertedFile[]> {
    const { uniqueNames } = await import('../convert/pack-zip.js');
    const given = files.map(({ name }) => name);
    const names = uniqueNames(given, `.${options.to}`);
    return Promise.all(
      files.map(async (file, i) => ({ name: names[i], from: file.name, ...(await this.#convert(file, options)) })),
    );
  }

  /** {@link convertFiles} as a ZIP; the comment of an entry says whether the file is faceted, and why. */
  async convertToZip(files: readonly NamedBytes[], options: ConvertOptions): Promise<Uint8Array> {
    const { packZip } = await import('../convert/pack-zip.js');
    const converted = await this.convertFiles(files, options);
    return packZip(
      converted.map(({ name, bytes, faceted, reason }) => ({
        name,
        bytes,
        comment: faceted ? `faceted${reason === undefined ? '' : `: ${reason}`}` : '',
      })),
    );
  }

  /** @throws EngineError whose message and `details.name` name the file. */
  async #convert({ name, bytes }: NamedBytes, { to, toleranceMm, signal }: ConvertOptions): Promise<ConvertedModel> {
    const { companyId, pool, sources } = this.#parts;
    try {
      const of = await sources.given(companyId, bytes, name);
      return await pool.run({ kind: 'convert', of, to, toleranceMm }, signal);
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      const message = cause.message.includes(name) ? cause.message : `${name}: ${cause.message}`;
      throw new EngineError(cause.code, message, { details: { ...cause.details, name }, cause });
    }
  }
}
