import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../dist/content/model.js';
import { EngineError } from '../../dist/errors.js';
import { filesBelow, realData } from '../fixtures/data.js';
import { placedMeshes } from '../fixtures/placed-meshes.js';
import { expectSound, options, readModel } from './helpers.js';

const EXTENSIONS = ['step', 'stp', 'iges', 'igs', 'brep', '3mf', 'gltf', 'glb'];
const models = realData('models');
const odd = realData('odd');
const parts = realData('parts');

async function endOf(path: string): Promise<{ end: string; model?: Model }> {
  try {
    const model = await readModel(readFileSync(path), basename(path), options());
    model.meshes.filter(({ indices }) => indices.length > 0).forEach(expectSound);
    return { end: `${model.meshes.length} meshes`, model };
  } catch (error) {
    if (error instanceof EngineError) return { end: error.code };
    throw error;
  }
}

describe('real CAD files', () => {
  it.skipIf(models === undefined)('reads every model', async () => {
    const ends = new Map<string, string>();
    for (const path of filesBelow(models!, EXTENSIONS)) {
      const { end, model } = await endOf(path);
      const placements = model === undefined ? 0 : placedMeshes(model).length;
      ends.set(
        basename(path),
        model === undefined || placements === model.meshes.length ? end : `${end} in ${placements} places`,
      );
      // Every body has its place.
      expect(model?.warnings.filter(({ message }) => message.includes('product structure')) ?? []).toEqual([]);
    }
    expect(Object.fromEntries(ends)).toEqual({
      'Elphel__0353-19-19.stp': '7 meshes',
      'KittyCAD__gear.step': '22 meshes',
      'KittyCAD__pipe-flange-assembly.step': '38 meshes',
      'LibreDWG__ACEB10.stp': '3 meshes in 7 places',
      'kovacsv__as1-oc-214.stp': '5 meshes in 18 places',
      'kovacsv__dm1-oc-214.stp': '3 meshes in 7 places',
      'mikedh__box_sides.STEP': '6 meshes in 10 places',
      'odriverobotics__PCB_v3.5.step': '40 meshes in 625 places',
      'rahulworld__Gripper01.stp': '26 meshes',
      'stepcode__ATS8Mod0-outresult.stp': 'NO_GEOMETRY',
      'tpaviot__Ventilator.stp': '1 meshes',
    });
  });

  it.skipIf(odd === undefined)('ends every odd file in a model or a coded error', async () => {
    for (const path of filesBelow(odd!, EXTENSIONS)) {
      const { end } = await endOf(path);
      expect(`${basename(path)}: ${end}`).toMatch(/: (\d+ meshes|NO_GEOMETRY|FILE_MALFORMED)$/);
    }
  });

  it.skipIf(parts === undefined)('reads ten STEP files of single parts without a complaint', async () => {
    const files = filesBelow(parts!, ['step', 'stp']);
    for (const path of files.filter((_, i) => i % Math.ceil(files.length / 10) === 0)) {
      const { end, model } = await endOf(path);
      expect(`${basename(path)}: ${end}`).toMatch(/meshes$/);
      expect(model!.warnings.filter(({ code }) => code !== 'TRIANGLES_DROPPED' && code !== 'CONTENT_SKIPPED')).toEqual(
        [],
      );
    }
  });
});
