/** Parts of MFCAD with the labels of their faces. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';

/**
 * The bodies below a folder with `faces.json`: of each STEP file the labels of its ADVANCED_FACEs in the order of the
 * file.
 * @param {string} folder
 */
export async function* labelledParts(folder) {
  const labels = JSON.parse(await readFile(join(folder, 'faces.json'), 'utf8'));
  for (const key of Object.keys(labels).sort()) {
    const name = `${key}.step`;
    const content = await readContent(await readFile(join(folder, name)), name, {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    if (content.kind === 'model') yield { name, model: content, labels: labels[key] };
  }
}
