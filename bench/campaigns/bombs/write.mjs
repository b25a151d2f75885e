// Writes bombs into a folder, in a process of its own: making some takes hundreds of megabytes, which would count as
// growth of the host that reads them. `node write.mjs FOLDER all|mild|NAME [MOST]` prints the names in their order; with
// MOST, so many at most, spread evenly over the kinds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveBombs } from './archives.mjs';
import { isDear } from './dear.mjs';
import { documentBombs } from './documents.mjs';
import { drawingBombs } from './drawings.mjs';
import { modelBombs } from './models.mjs';
import { morePictureBombs } from './more-pictures.mjs';
import { overlapBombs } from './overlaps.mjs';
import { packageBombs } from './packages.mjs';
import { fontBombs } from './pdf-fonts.mjs';
import { jbig2Bombs } from './pdf-jbig2.mjs';
import { mapBombs } from './pdf-maps.mjs';
import { pdfBombs } from './pdfs.mjs';
import { stateBombs } from './pdf-states.mjs';
import { pdfStructureBombs } from './pdf-structure.mjs';
import { metadataBombs } from './picture-metadata.mjs';
import { pictureBombs } from './pictures.mjs';
import { solidBombs } from './solids.mjs';

const [folder, wanted, most = Infinity] = process.argv.slice(2);

const chosen = [
  ...modelBombs(),
  ...solidBombs(),
  ...overlapBombs(),
  ...drawingBombs(),
  ...packageBombs(),
  ...documentBombs(),
  ...archiveBombs(),
  ...morePictureBombs(),
  ...metadataBombs(),
  ...pdfStructureBombs(),
  ...fontBombs(),
  ...mapBombs(),
  ...stateBombs(),
  ...jbig2Bombs(),
  ...(await pictureBombs()),
  ...(await pdfBombs()),
].filter(([name]) => wanted === 'all' || wanted === name || (wanted === 'mild' && !isDear(name)));
const step = Math.max(1, Math.ceil(chosen.length / Number(most)));

for (const [i, [name, bytes]] of chosen.entries()) {
  if (i % step !== 0) continue;
  writeFileSync(join(folder, name), typeof bytes === 'function' ? await bytes() : bytes);
  process.stdout.write(`${name}\n`);
}
