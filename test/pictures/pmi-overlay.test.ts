import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { pmiOverlay } from '../../dist/pictures/pmi-overlay.js';
import { strokeText } from '../../dist/pictures/stroke-text.js';
import { nameOfPmiType, PMI_TYPE, type PmiObject } from '../../dist/index.js';

const blank = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();
const object = (
  id: number,
  text: string,
  box: PmiObject['box'],
  type: PmiObject['typeId'] = PMI_TYPE.diameter,
): PmiObject => ({ typeId: type, id, group: 'Measurement', box, parts: [{ text }] });
const overlay = async (...objects: readonly PmiObject[]): Promise<Uint8Array> =>
  pmiOverlay(blank, { page: 1, widthPx: 600, heightPx: 400, objects });
const inkOf = async (png: Uint8Array): Promise<number> => {
  const { data } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.reduce((sum, value) => sum + Number(value < 160), 0);
};

describe('readings drawn without a font', () => {
  test('every sign of drawings has a form of its own; what is unknown is an empty box', () => {
    const signs = [...'⌀±°⌖⏥⊥∥⌒⌓∠⌭◎↗⌰⌯⌴⌵↧□ⓂⓁⓅⒻⓈⓉⒺⓊ'];
    expect(new Set([...signs, '\u4e2d'].map((sign) => strokeText(sign).path)).size).toBe(signs.length + 1);
    expect(strokeText('ä').path).toBe(strokeText('a').path);
    expect(strokeText('\u4e2d').path).toBe(strokeText('\u6587').path);
    expect(strokeText('').width).toBe(0);
    expect(strokeText('12').width).toBeGreaterThan(strokeText('1').width);
  });

  test('labels of objects at one place stand beside each other', async () => {
    const box = [100, 200, 80, 30] as const;
    const [one, both] = await Promise.all([
      inkOf(await overlay(object(1, '⌀12.5', box))),
      inkOf(await overlay(object(1, '⌀12.5', box), object(2, '⌀12.5', box))),
    ]);
    const [frame] = [await inkOf(await overlay({ ...object(1, '⌀12.5', box), typeId: PMI_TYPE.view, parts: [] }))];
    expect(frame).toBeGreaterThan(0);
    // The second label is drawn whole: as much ink again as the first has beyond its box.
    const rectangle = 2 * 2 * (80 + 30);
    expect(both - one).toBeGreaterThan(0.7 * (one - rectangle));
    expect(await overlay(object(1, '⌀12.5', box))).toEqual(await overlay(object(1, '⌀12.5', box)));
  });

  test('a label has the reading, not the number of its type', async () => {
    const box = [100, 200, 80, 30] as const;
    const [leader, thread] = [PMI_TYPE.leader, PMI_TYPE.arrows].map((type) => overlay(object(1, 'M8', box, type)));
    expect(await leader).toEqual(await thread);
  });

  test('every type has a name for people', () => {
    const names = Object.values(PMI_TYPE).map(nameOfPmiType);
    expect(names.every((name) => /^[a-zA-Z3][a-zA-Z ,-]+$/.test(name) || name === '3D view')).toBe(true);
    expect([nameOfPmiType(PMI_TYPE.position), nameOfPmiType(PMI_TYPE.controlFrame)]).toEqual([
      'position',
      'control frame',
    ]);
  });
});
