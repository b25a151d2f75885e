import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { screw, washer } from '../fixtures/parts.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const folder = temporaryFolder();
const named = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

describe.skipIf(CHROMIUM === undefined)('searching on the page (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  const uid = (path: string): string => site.uids.get(path)!;

  test('the first visit shows what can be done in three steps, once', async () => {
    const page = await site.open('#/');
    const steps = page.getByRole('region', { name: 'Three steps to begin with' });
    await steps.waitFor();
    expect(await steps.getByRole('listitem').count()).toBe(3);
    await expectAccessible(page);
    await shot(page, 'search-first-steps');
    await steps.getByRole('button', { name: 'Got it' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    expect(await steps.count()).toBe(0);
    // Whoever goes on without closing it has seen it as well.
    await page.evaluate(() => localStorage.removeItem('shapedex.first-steps'));
    await page.reload();
    await steps.getByRole('link', { name: 'Duplicates' }).click();
    await page.getByRole('heading', { name: 'Duplicates', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  test('words find files and are marked in the results', async () => {
    const page = await site.open('#/');
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Words' }).fill('stainless');
    await page.keyboard.press('Enter');
    await page.getByText(/^2 files in/).waitFor();
    expect(page.url()).toContain('text=stainless');
    const cards = page.getByRole('listitem');
    expect((await cards.getByRole('heading').allInnerTexts()).sort()).toEqual(['flange.txt', 'order.pdf']);
    expect((await page.locator('mark').first().innerText()).toLowerCase()).toBe('stainless');
    await expectAccessible(page);
    await shot(page, 'search-words');
    await page.getByRole('searchbox', { name: 'Words' }).fill('nowhere to be found');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await page.getByRole('searchbox', { name: 'Words' }).fill('stainless nowhere');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: 'stainless', exact: true }).click();
    await page.getByText(/^2 files in/).waitFor();
    // No word of three could be left out alone.
    await page.getByRole('searchbox', { name: 'Words' }).fill('nowhere stainless elsewhere');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'stainless', exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Words' }).fill('stanless flagne');
    await page.keyboard.press('Enter');
    await page.getByText('No file has a word as it is spelled. Did you mean:').waitFor();
    await expectAccessible(page);
    await shot(page, 'search-spelling');
    await page.getByRole('link', { name: 'stainless flange', exact: true }).click();
    await page.getByText(/^1 file in/).waitFor();
    await page.context().close();
  });

  test('a selected model finds itself and similar ones, with the difference in size', async () => {
    const page = await site.open('#/');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Search with files…' }).click();
    await (await chooser).setFiles([named('my screw.stl', writeStlBinary(screw(5, 16)))]);
    await page.getByText(/files in/).waitFor();
    await page
      .getByRole('region', { name: 'Files to search with' })
      .getByRole('link', { name: 'my screw.stl' })
      .waitFor();
    const first = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'screw-M5x16.stl' }) });
    await first.getByText('Identical').waitFor();
    await expect.poll(() => first.getByText(/^\d+ %$/).innerText()).toBe('100 %');
    expect(await first.locator('.card-reasons li').allInnerTexts()).toEqual(['the same file, byte for byte']);
    expect(await first.locator('.bars li').allInnerTexts()).toEqual(
      ['Volume =', 'Box =', 'Area ='].map((text) => expect.stringContaining(text.slice(-1))),
    );
    const longer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'screw-M5x40.stl' }) });
    await expect.poll(() => longer.locator('.bars li').first().innerText()).toMatch(/(\+\d+ %|×[\d.]+)/);
    expect(await longer.locator('.card-reasons li').allInnerTexts()).toEqual([
      '×2.25 longer (43.25 instead of 19.25 mm), else the same size',
    ]);
    // By the keyboard, too, reasons are shown whole, over what stands above them.
    const reasons = longer.locator('.reasons');
    await longer.getByRole('link', { name: 'screw-M5x40.stl', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => reasons.evaluate((list) => getComputedStyle(list).position)).toBe('absolute');
    await shot(page, 'search-model');
    // The picture of a hit is its thumbnail and links to its file screen.
    expect(await first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
    await first.getByRole('link', { name: 'screw-M5x16.stl', exact: true }).click();
    expect(page.url()).toContain(`#/file/${uid('fasteners/screw-M5x16.stl')}`);
    await page.context().close();
  });

  test('the screen of a found file leads to the next one, to the one before, and back to the list', async () => {
    const page = await site.open('#/?text=stainless');
    await page.getByText(/^2 files in/).waitFor();
    const names = await page.getByRole('listitem').getByRole('heading').allInnerTexts();
    await page.getByRole('link', { name: names[0], exact: true }).click();
    const steps = page.getByRole('navigation', { name: 'Found files' });
    await steps.getByText('1 of 2 found').waitFor();
    expect(await steps.getByRole('link', { name: 'Previous' }).count()).toBe(0);
    await shot(page, 'file-found-steps');
    await steps.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { name: names[1], level: 1 }).waitFor();
    await steps.getByText('2 of 2 found').waitFor();
    expect(await steps.getByRole('link', { name: 'Next' }).count()).toBe(0);
    await steps.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('heading', { name: names[0], level: 1 }).waitFor();
    await steps.getByRole('link', { name: '1 of 2 found' }).click();
    await page.getByText(/^2 files in/).waitFor();
    // A file that the list does not hold has no steps.
    await page.goto(`${site.url}/#/file/${uid('fasteners/washer-M10.stl')}`);
    await page.getByRole('heading', { name: 'washer-M10.stl', level: 1 }).waitFor();
    expect(await steps.count()).toBe(0);
    await page.context().close();
  });

  test('a mirror image is marked as such, and both can be compared', async () => {
    const page = await site.open(`#/?like=${uid('brackets/left.stl')}`);
    const right = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'right.stl' }) });
    await right.getByText('Mirrored').waitFor();
    await expect
      .poll(() => right.getByRole('link', { name: 'Compare with right.stl' }).getAttribute('href'))
      .toBe(`#/compare/${uid('brackets/left.stl')}/${uid('brackets/right.stl')}`);
    await page.context().close();
  });

  test('dropped files are searched with; files that cannot be read give the reason', async () => {
    const page = await site.open('#/');
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    const files = [[...writeStlBinary(washer(10))], [...Buffer.from('no model at all')]];
    await page.evaluate(([good, bad]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(good)], 'washer.stl'));
      transfer.items.add(new File([new Uint8Array(bad)], 'nonsense.step'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }, files);
    const inputs = page.getByRole('region', { name: 'Files to search with' });
    await inputs.getByRole('link', { name: 'washer.stl' }).waitFor();
    await expect
      .poll(() => inputs.getByRole('alert').innerText())
      .toContain('"nonsense.step" has the extension .step, but its content is neither STEP nor');
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'washer-M10.stl' }) })
      .getByText('Identical')
      .waitFor();
    await inputs.getByRole('button', { name: 'Remove nonsense.step', exact: true }).click();
    await inputs.getByRole('button', { name: 'Remove washer.stl from the search' }).click();
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    await page.context().close();
  });

  test('a model finds the drawing that shows it, and the view on its page is framed', async () => {
    const page = await site.open(`#/?like=${uid('parts/bossed plate.stl')}`);
    await page.getByText(/files in/).waitFor();
    const drawing = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'plate.dxf' }) });
    await drawing.locator('.picture-frame rect').waitFor();
    const { width, height } = (await drawing.locator('.picture-frame rect').boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(2);
    await page.context().close();
  });

  test('a divider separates less similar hits, and every hit is on one side of it', async () => {
    const page = await site.open(`#/?like=${uid('brackets/left.stl')}`);
    const line = page.locator('.grid-divider');
    await line.waitFor();
    const y = (await line.boundingBox())!.y;
    const cards = await page
      .locator('.card')
      .evaluateAll((all) =>
        all.map(
          (card) =>
            [
              card.getBoundingClientRect().top,
              Number(/(\d+)\s*%/.exec(card.querySelector('.similarity')?.textContent ?? '')?.[1]),
              card.querySelector('.badge')?.textContent,
            ] as const,
        ),
      );
    expect(cards.length).toBeGreaterThan(2);
    for (const [top, similarity, badge] of cards) {
      expect(top > y).toBe(similarity < 20);
      // What lies behind the divider is called nothing.
      expect(badge === undefined).toBe(top > y);
    }
    await page.context().close();
  });

  test('filters show what they would leave, leave just that, and are kept in the address', async () => {
    const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}`);
    const steel = page.getByRole('checkbox', { name: /^Steel/ });
    await steel.waitFor();
    const label = await steel.evaluate((input: HTMLInputElement) => input.labels![0].innerText);
    const files = Number(/\d+/.exec(label)?.[0]);
    expect(files).toBeGreaterThan(3);
    await steel.check();
    await page.getByText(new RegExp(`^${files} files in`)).waitFor();
    expect(new URLSearchParams(page.url().split('?')[1]).get('attribute')).toBe('Material=Steel');
    await page.getByRole('checkbox', { name: /^Models/ }).check();
    await page.getByText(new RegExp(`^${files - 1} files in`)).waitFor(); // All but the drawing.
    await page.getByLabel('Volume').selectOption('± 5 %');
    await page.getByText(/^1 file in/).waitFor();
    await shot(page, 'search-filters');
    await page.reload();
    await page.getByText(/^1 file in/).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(/^\d\d files in/).waitFor();
    await page.context().close();
  });

  test('a search is saved under a name, listed, opened and deleted', async () => {
    const page = await site.open('#/?text=steel&kind=ThreeD');
    await page.getByRole('button', { name: 'Save search…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save search' });
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('Steel models');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as “Steel models”').waitFor();
    await page.getByRole('link', { name: 'Saved searches' }).click();
    await page.getByText('“steel” · models').first().waitFor();
    await expectAccessible(page);
    await shot(page, 'saved-searches');
    await page.getByRole('link', { name: 'Steel models' }).click();
    await expect.poll(() => page.getByRole('searchbox', { name: 'Words' }).inputValue()).toBe('steel');
    await page.getByRole('checkbox', { name: /^Models/, checked: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete Steel models' }).click();
    await page.getByText('No search is saved').waitFor();
    await page.context().close();
  });

  test('a result that is dragged is searched with, or joins what is searched with', async () => {
    const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}`);
    const drag = async (name: string, onto: string): Promise<void> => {
      await page.getByRole('listitem').getByRole('link', { name, exact: true }).hover();
      await page.mouse.down();
      // A drag begins with the second movement.
      for (const y of [220, 240]) await page.mouse.move(700, y);
      const field = page.locator('.drop-field', { hasText: onto });
      await field.waitFor();
      await shot(page, 'search-drag');
      await field.hover();
      await page.mouse.up();
      await field.waitFor({ state: 'detached' });
    };
    const inputs = page.getByRole('region', { name: 'Files to search with' });
    await drag('screw-M5x40.stl', 'Add it to the search');
    await inputs.getByRole('link', { name: 'screw-M5x40.stl' }).waitFor();
    expect(await inputs.getByRole('listitem').count()).toBe(2);
    await drag('washer-M10.stl', 'Search with this one');
    await inputs.getByRole('link', { name: 'washer-M10.stl' }).waitFor();
    await expect.poll(() => page.url()).toContain(`#/?like=${uid('fasteners/washer-M10.stl')}`);
    await page.context().close();
  });

  test('recent and saved searches show what they searched with, in a picture and by name', async () => {
    const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}`);
    await page.getByText(/files in/).waitFor();
    await page.getByRole('checkbox', { name: /^Steel/ }).check();
    await expect.poll(() => page.url()).toContain('attribute=');
    await page.getByText(/files in/).waitFor();
    await page.getByRole('button', { name: 'Save search…' }).click();
    await page.getByRole('dialog', { name: 'Save search' }).getByLabel('Name').fill('Screws');
    await page.getByRole('dialog', { name: 'Save search' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as “Screws”').waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const recent = page.getByRole('region', { name: 'Recent searches' });
    // The one without a filter has become the one with it.
    await recent.getByText('like screw-M5x16.stl · Material = Steel').waitFor();
    expect(await recent.getByRole('listitem').count()).toBe(1);
    await recent.locator('img').waitFor();
    await expectAccessible(page);
    await shot(page, 'search-recent');
    await page.getByRole('link', { name: 'Saved searches' }).click();
    const saved = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Screws' }) });
    await saved.getByText('like screw-M5x16.stl · Material = Steel').waitFor();
    await saved.locator('img').waitFor();
    await shot(page, 'saved-pictures');
    await page.getByRole('button', { name: 'Delete Screws' }).click();
    await recent.getByRole('button', { name: 'Forget them' }).click();
    await recent.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a link to a search with a dropped file is kept for everybody of the company', async () => {
    const page = await site.open('#/');
    const drop = async (onto: Page, size: number): Promise<string> => {
      const chooser = onto.waitForEvent('filechooser');
      await onto.getByRole('button', { name: 'Search with files…' }).click();
      await (await chooser).setFiles([named('dropped.stl', writeStlBinary(washer(size)))]);
      await onto.getByText(/files in/).waitFor();
      await expect.poll(() => onto.url()).toContain('like=');
      return new URLSearchParams(onto.url().split('?')[1]).get('like')!;
    };
    const input = await drop(page, 7);
    expect((await site.company.input(input))?.owner).not.toBeNull();
    await page.getByRole('button', { name: 'Share…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link to this search' });
    expect(await dialog.getByLabel('Address').inputValue()).toBe(page.url());
    await dialog.getByText('others cannot open the link').waitFor();
    await expectAccessible(page);
    await shot(page, 'search-share');
    await dialog.getByRole('button', { name: 'Keep it 90 days for everybody of the company' }).click();
    await dialog.getByText('Everybody of the company who has the link can open it until').waitFor();
    const kept = await site.company.input(input);
    expect(kept?.owner).toBeNull();
    expect(kept!.expiresAt.getTime() - Date.now()).toBeGreaterThan(89 * 86_400_000);
    // A member opens the link.
    const [email, password] = ['mia@acme.example', 'a password of Mia'];
    const passwordDigest = createHash('sha1').update(password).digest();
    await site.engine.accounts.addUser({ email, firstName: 'Mia', lastName: 'M', passwordDigest, company: 'acme' });
    const other = await site.open(`#/?like=${input}`, { signedIn: false, expectsErrors: true });
    await other.getByLabel('E-mail address').fill(email);
    await other.getByLabel('Password').fill(password);
    await other.getByLabel('Password').press('Enter');
    const inputs = other.getByRole('region', { name: 'Files to search with' });
    await inputs.getByRole('link', { name: 'dropped.stl' }).waitFor();
    await other.getByText(/files in/).waitFor();
    // What she puts to search with, an operator may see, and is not offered to keep: she alone is.
    await inputs.getByRole('button', { name: 'Remove dropped.stl from the search' }).click();
    await other.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    const hers = await drop(other, 9);
    await other.getByRole('button', { name: 'Share…' }).click();
    await other.getByRole('button', { name: 'Keep it 90 days for everybody of the company' }).waitFor();
    await other.context().close();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${site.url}/#/?like=${hers}`);
    await page.getByRole('link', { name: 'dropped.stl' }).waitFor();
    await page.getByRole('button', { name: 'Share…' }).click();
    await dialog.getByText('Only who put it there can keep it for others.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Keep/ }).count()).toBe(0);
    await page.context().close();
  });

  test('filters that engineers ask for come first; what programs wrote is last and folded', async () => {
    const attributes = [
      'Fit=H7',
      'Preprocessor=ACME 1.0',
      'Finish=blank',
      'Thread=M4',
      'Material=Steel',
      'Part number=7',
    ];
    for (const size of [3, 4])
      await site.company.put(`ordered/nut-${size}.stl`, writeStlBinary(washer(size)), { attributes });
    await site.engine.idle();
    const page = await site.open('#/?kind=ThreeD&text=nut');
    const last = page.locator('details.facets-last');
    await last.waitFor();
    expect(await last.evaluate((details: HTMLDetailsElement) => details.open)).toBe(false);
    // Nothing but the fold comes after it in its list.
    expect(await last.evaluate((details) => details.nextElementSibling)).toBe(null);
    const shown = (await page.locator('.facets legend').allTextContents()).filter((name) =>
      attributes.some((attribute) => attribute.startsWith(`${name}=`)),
    );
    expect(shown).toEqual(['Part number', 'Material', 'Thread', 'Fit', 'Finish', 'Preprocessor']);
    await last.locator('summary').click();
    // One that is chosen is not folded away.
    await last.getByRole('checkbox', { name: /^ACME 1\.0/ }).click();
    await page.getByRole('checkbox', { name: /^ACME 1\.0/, checked: true }).waitFor();
    await expect.poll(() => page.locator('details.facets-last').count()).toBe(0);
    expect(page.url()).toContain('Preprocessor');
    await page.context().close();
  });

  test('an admin orders the filters for the company', async () => {
    const page = await site.open('#/?kind=ThreeD');
    const legends = () => page.locator('.facets legend').allInnerTexts();
    await expect.poll(legends).toEqual(expect.arrayContaining(['Material', 'Supplier']));
    const usual = await legends();
    expect(usual.indexOf('Supplier')).toBeGreaterThan(usual.indexOf('Material'));
    await page.getByRole('button', { name: 'Order of these filters…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order of the filters' });
    await dialog.getByRole('button', { name: 'Supplier to the top' }).click();
    await expectAccessible(page);
    await shot(page, 'search-filter-order');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const others = usual.filter((name) => !['Kind', 'Supplier'].includes(name));
    await expect.poll(legends).toEqual(['Kind', 'Supplier', ...others]);
    await page.reload();
    await expect.poll(legends).toEqual(['Kind', 'Supplier', ...others]);
    expect((await site.engine.accounts.profile('acme')).priorityAttributes).toBe('Supplier');
    await page.getByRole('button', { name: 'Order of these filters…' }).click();
    await dialog.getByRole('button', { name: 'Usual order' }).click();
    await expect.poll(legends).toEqual(usual);
    await page.context().close();
  });

  test('hits are laid out as a sheet that the browser prints as PDF', async () => {
    const page = await site.open('#/?text=screw');
    await page.getByText('Export', { exact: true }).click();
    await page.getByRole('link', { name: 'Sheet for print or PDF' }).click();
    await page.getByRole('heading', { name: '“screw”', level: 1 }).waitFor();
    await expect.poll(() => page.locator('.sheet-files img').count()).toBe(2);
    await expectAccessible(page);
    await shot(page, 'search-sheet');
    const bytes = await page.pdf({ format: 'A4' });
    const { company } = site;
    // The engine itself reads what is printed.
    const { uid: sheet } = await company.putInput(bytes, { extension: '.pdf' });
    const text = (await company.text(sheet)).map((one) => one.text.replace(/\s+/g, ' ')).join();
    expect(text).toContain('fasteners/screw-M5x16.stl');
    expect(text).toContain('Supplier: Bolt & Co');
    expect(text).not.toContain('Print or save');
    await page.context().close();
  });

  test('empty cards stand for hits that have not come yet, icons for pictures', async () => {
    const page = await site.open('#/');
    await page.getByRole('heading', { name: /^Drop a model/ }).waitFor();
    const held: (() => Promise<void>)[] = [];
    await page.route('**/Find?*', (route) => void held.push(() => route.continue()));
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((open) => {
      letThrough = open;
    });
    await page.route('**/Image?*', (route) => gate.then(() => route.continue()));
    // Pictures that the first screen has are kept.
    await page.reload();
    await page.getByText('Or begin with one of').waitFor();
    await page.getByRole('searchbox', { name: 'Words' }).fill('screw');
    await page.keyboard.press('Enter');
    await page.locator('.cards-coming .card').first().waitFor();
    await shot(page, 'search-coming');
    for (const answer of held) await answer();
    await page.getByText(/^2 files in/).waitFor();
    await page.locator('.cards-coming').waitFor({ state: 'detached' });
    // Until its picture has come a card shows the icon of its kind.
    const cards = page.getByRole('listitem');
    await expect.poll(() => cards.locator('.picture-coming svg').count()).toBe(2);
    letThrough();
    await expect.poll(() => cards.locator('img').count()).toBe(2);
    await page.context().close();
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 360],
  ] as const)('no serious fault of access, nothing wider than the screen: %s, %i px', async (theme, width) => {
    const page = await site.open('#/', { theme, width });
    await page
      .getByRole('link', { name: /^Find files like/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    // Files without a shape are not offered as a start.
    expect(
      (await page.getByRole('link', { name: /^Find files like/ }).allInnerTexts()).filter((name) =>
        /flange|order/.test(name),
      ),
    ).toEqual([]);
    await page
      .getByRole('link', { name: /^Find files like/ })
      .first()
      .click();
    await page.getByText(/files in/).waitFor();
    await page.locator('.card img').first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await shot(page, `search-${theme}-${width}`);
    await page.context().close();
  });

  test('files of one name are told apart by their folders', async () => {
    for (const [folder, size] of Object.entries({ 'pumps/2024': 8, 'gears/2024': 10 }))
      await site.company.put(`same/${folder}/model.stl`, writeStlBinary(washer(size)));
    const page = await site.open('#/?text=model');
    const named = (name: string) => page.getByRole('listitem').getByRole('link', { name, exact: true });
    await named('pumps/2024/model.stl').waitFor();
    await named('gears/2024/model.stl').waitFor();
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByRole('table').getByRole('link', { name: 'gears/2024/model.stl' }).waitFor();
    await site.engine.idle();
    const [pumps, gears] = await Promise.all(
      ['pumps', 'gears'].map(async (folder) => (await site.company.find(`same/${folder}/2024/model.stl`))!.uid),
    );
    // The files most like one: as links under its picture, and to compare it with.
    await page.goto(`${site.url}/#/file/${pumps}`);
    const strip = page.getByRole('region', { name: 'Files most like this' });
    await strip.getByRole('link', { name: 'gears/2024/model.stl' }).waitFor();
    await page.getByRole('button', { name: 'Compare with…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare pumps/2024/model.stl with' });
    await dialog.getByRole('link', { name: 'gears/2024/model.stl' }).click();
    const measures = page.getByRole('table', { name: 'Measures of both' });
    await measures.getByRole('columnheader', { name: 'pumps/2024/model.stl' }).waitFor();
    await measures.getByRole('columnheader', { name: 'gears/2024/model.stl' }).waitFor();
    const features = page.getByRole('table', { name: 'Features that differ' });
    await features.getByRole('columnheader', { name: 'gears/2024/model.stl' }).waitFor();
    // What is searched with has its last folder beside its name; the start page offers both.
    await page.goto(`${site.url}/#/?like=${gears}`);
    await page.getByRole('region', { name: 'Files to search with' }).getByText('2024/ · Model').waitFor();
    await page.goto(`${site.url}/#/`);
    await page.getByRole('link', { name: 'Find files like gears/2024/model.stl' }).waitFor();
    await page.context().close();
  });

  test('the browser reported no error', () => {
    expect(site.errors).toEqual([]);
  });
});
