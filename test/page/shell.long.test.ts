import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

describe.skipIf(CHROMIUM === undefined)('the page (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: {} });
  });
  afterAll(() => site.close());

  test('an address with a key signs in at once, and the key is removed from the address', async () => {
    const page = await site.open('#/library');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    expect(page.url()).toBe(`${site.url}/#/library`);
    await page.reload();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.context().close();
  });

  test('links open every screen, by mouse and by keyboard, and Back returns', async () => {
    const page = await site.open('#/');
    for (const name of ['Library', 'Upload', 'Saved searches', 'Search']) {
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · shapedex`);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Saved searches', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Library' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.goto(`${site.url}/#/nowhere`);
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
    await page.context().close();
  });

  test('without a key it asks for a password, rejects a wrong one, and signs out again', async () => {
    const page = await site.open('#/library', { signedIn: false, expectsErrors: true });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await shot(page, 'sign-in');
    await page.getByLabel('E-mail address').fill(site.user.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('wrong');
    await page.getByLabel('Password').fill(site.user.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  test('a key of an earlier start is reported as such', async () => {
    const page = await site.open('#key=aaaaaaaaaaaaaaaaaaaaaaaa', { signedIn: false, expectsErrors: true });
    await page.goto(`${site.url}/#/library`);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('earlier start');
    await page.context().close();
  });

  test('tabs share the session, and the key of a later start', async () => {
    const first = await site.open('#/library', { signedIn: false, expectsErrors: true });
    await first.getByRole('heading', { name: 'Sign in' }).waitFor();
    const second = await first.context().newPage();
    await second.goto(`${site.url}/#/upload`);
    await second.getByLabel('E-mail address').fill(site.user.email);
    await second.getByLabel('Password').fill(site.user.password);
    await second.getByLabel('Password').press('Enter');
    await second.getByRole('heading', { name: 'Upload', level: 1 }).waitFor();
    await first.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await first.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    // A tab that stayed open over a restart of the server continues with the key that another tab received, and keeps
    // it.
    await first.goto(`${site.url}/#key=aaaaaaaaaaaaaaaaaaaaaaaa`);
    await first.getByRole('heading', { name: 'Sign in' }).waitFor();
    await second.goto(`${site.url}/${site.keyHash}`);
    await second.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await first.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await second.reload();
    await second.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await first.context().close();
  });

  test('the theme follows the system until the user chooses one', async () => {
    const page = await site.open('#/', { theme: 'dark' });
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(theme).toBe('dark');
    await page.getByLabel('Theme').selectOption('Light');
    await expect.poll(theme).toBe('light');
    await page.reload();
    await expect.poll(theme).toBe('light');
    await page.context().close();
  });

  test('the browser reported no error', () => {
    expect(site.errors).toEqual([]);
  });
});
