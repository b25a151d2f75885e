import type { LengthUnit } from '../content/units.js';
import type { Core } from '../core/core.js';
import type { FileSources } from '../indexing/file-sources.js';
import type { IndexQueue } from '../indexing/queue.js';
import type { WorkerPool } from '../indexing/pool/pool.js';
import type { KeptPictures } from '../pictures/kept-pictures.js';
import type { Lifetime } from '../store/lifetime.js';
import type { Library } from '../library.js';
import { CompanyAssemblies } from './assemblies.js';
import type { CompanyContext } from './context.js';
import { CompanyCategories } from './categories.js';
import { Company } from './company.js';
import { CompanyDuplicates } from './company-duplicates.js';
import { FileAttributes } from './file-attributes.js';
import { FileContents } from './file-contents.js';
import { CompanyFiles } from './files.js';
import { CompanyModels } from './models.js';
import type { OpenSearches } from './open-searches.js';
import { CompanyPictures } from './pictures.js';
import { StoredSettings } from './settings.js';

/**
 * The parts that all companies of an open library share.
 * @internal
 */
export interface SharedServices {
  readonly store: Library;
  readonly core: Core;
  readonly pool: WorkerPool;
  readonly queue: IndexQueue;
  readonly sources: FileSources;
  readonly kept: KeptPictures;
  readonly searches: OpenSearches;
  readonly lifetime: Lifetime;
  /** Called when a put requests a callback. */
  readonly callbacks: { wakeCallbacks(): void };
  readonly inputTtlMs: number;
  readonly defaultUnit: LengthUnit;
}

/**
 * Opens a company's file database and its search; the company is created on first use. name: already checked.
 * @internal
 */
export async function openCompany(name: string, shared: SharedServices): Promise<Company> {
  const companyId = await shared.lifetime.write(() => shared.store.company(name));
  const search = shared.searches.of(companyId);
  await search.use(async () => undefined); // What cannot be opened is told now.
  return companyOver(name, { ...shared, companyId, search, seen: 'all' });
}

/** The company over what its services work with. */
function companyOver(name: string, context: CompanyContext & SharedServices): Company {
  const files = new CompanyFiles(context);
  const contents = new FileContents(context);
  const pictures = new CompanyPictures({ ...context, contents });
  return new Company(name, {
    ...context,
    files,
    contents,
    pictures,
    attributes: new FileAttributes(context),
    models: new CompanyModels(context),
    assemblies: new CompanyAssemblies({ ...context, files, pictures }),
    categories: new CompanyCategories(context),
    duplicates: new CompanyDuplicates({ ...context, pictures }),
    settings: new StoredSettings(context),
    seeing: (seen) => companyOver(name, { ...context, seen }),
  });
}
