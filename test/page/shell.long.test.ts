import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { withOlderCatalogue } from '../store/library-with-lost-files.js';
import { expectAccessible, newLibrary, openSite, shot, type Site } from './browser.js';

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

  test('/ goes to the search field from any screen, ? shows the keys, and neither is taken from a field', async () => {
    const page = await site.open('#/library');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('words');
    await page.keyboard.type('a/b?');
    expect(await page.locator('#words').inputValue()).toBe('a/b?');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('go to the search field').waitFor();
    await expectAccessible(page);
    await shot(page, 'keys');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
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

  test('who signed in with a password changes it; the new one is then the one to sign in with', async () => {
    const [email, password] = ['bea@acme.example', 'first password of Bea'];
    const passwordDigest = createHash('sha1').update(password).digest();
    await site.engine.accounts.addUser({ email, firstName: 'Bea', lastName: 'M', passwordDigest, company: 'acme' });
    const page = await site.open('#/library', { signedIn: false, expectsErrors: true });
    const signIn = async (given: string): Promise<void> => {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(given);
      await page.getByLabel('Password').press('Enter');
    };
    const change = async (current: string, next: string, again = next): Promise<void> => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('New password again').fill(again);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    const alert = (): Promise<string> => page.getByRole('alert').innerText();
    await signIn(password);
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('heading', { name: 'Change password' }).waitFor();
    await expectAccessible(page);
    for (const field of await page.locator('form').first().locator('input:visible').all()) {
      expect(await field.getAttribute('type')).toBe('password');
      // A manager of passwords may fill it in, and what is pasted is taken.
      expect(await field.getAttribute('autocomplete')).toMatch(/^(current|new)-password$/);
      expect(
        await field.evaluate((input) =>
          input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
        ),
      ).toBe(true);
    }
    await change(password, 'correct horse', 'correct house');
    await expect.poll(alert).toContain('not the same');
    await change('wrong', 'correct horse');
    await expect.poll(alert).toContain('current password');
    await change(password, 'password123');
    await expect.poll(alert).toContain('guessed first');
    await change(password, 'correct horse');
    await page.getByText('Your password is changed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(password);
    await expect.poll(alert).toContain('wrong');
    await signIn('correct horse');
    await page.getByRole('heading', { name: 'Change password' }).waitFor();
    await page.context().close();
  });

  test('a user makes a key for a program, sees it once, and withdraws it', async () => {
    const [email, password] = ['kim@acme.example', 'first password of Kim'];
    const passwordDigest = createHash('sha1').update(password).digest();
    await site.engine.accounts.addUser({ email, firstName: 'Kim', lastName: 'M', passwordDigest, company: 'acme' });
    const page = await site.open('#/account', { signedIn: false, expectsErrors: true });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
    const keys = page.getByRole('region', { name: 'Keys for programs' });
    const make = async (given: string): Promise<void> => {
      await keys.getByLabel('What it is for').fill('nightly import');
      await keys.getByRole('combobox', { name: 'It is good for' }).selectOption('a year');
      await keys.getByLabel('Your password').fill(given);
      await keys.getByRole('button', { name: 'Make a key' }).click();
    };
    await make('wrong');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('current password');
    await make(password);
    const key = await keys.locator('.key-text').innerText();
    const status = async (): Promise<number> =>
      (await fetch(`${site.url}/api/Status`, { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await status()).toBe(200);
    await expectAccessible(page);
    await shot(page, 'account-keys');
    await page.reload();
    await keys.getByText('nightly import').waitFor();
    expect(await keys.locator('.key-text').count()).toBe(0);
    await keys.getByRole('button', { name: 'Withdraw nightly import' }).click();
    await expect.poll(() => keys.getByText('nightly import').count()).toBe(0);
    expect(await status()).toBe(401);
    await page.context().close();
  });

  test('a user sees where somebody is signed in, and ends all but this one', async () => {
    const [email, password] = ['lou@acme.example', 'first password of Lou'];
    const passwordDigest = createHash('sha1').update(password).digest();
    const { accounts } = site.engine;
    await accounts.addUser({ email, firstName: 'Lou', lastName: 'M', passwordDigest, company: 'acme' });
    const { accessToken } = await accounts.grantPassword({ email, passwordDigest });
    const page = await site.open('#/account', { signedIn: false, expectsErrors: true });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
    const signIns = page.getByRole('region', { name: 'Where you are signed in' });
    await signIns.getByText('Elsewhere').waitFor();
    expect(await signIns.getByRole('listitem').count()).toBe(2);
    await expectAccessible(page);
    await shot(page, 'account-sign-ins');
    const end = async (given: string): Promise<void> => {
      await signIns.getByLabel('Your password').fill(given);
      await signIns.getByRole('button', { name: 'End all others' }).click();
    };
    await end('wrong');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('current password');
    expect(await accounts.principalOf(accessToken)).toBeDefined();
    await end(password);
    await signIns.getByText('1 other sign-in has ended.').waitFor();
    await signIns.getByText('Elsewhere').waitFor({ state: 'detached' });
    expect(await accounts.principalOf(accessToken)).toBeUndefined();
    await page.reload();
    await signIns.getByText('Here', { exact: true }).waitFor();
    await page.context().close();
  });

  test('the browser keeps nothing but the theme and the session, which is gone after signing out', async () => {
    const page = await site.open('#/library', { signedIn: false });
    await page.getByLabel('E-mail address').fill(site.user.email);
    await page.getByLabel('Password').fill(site.user.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.getByLabel('Theme').selectOption('Light');
    const kept = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(site.user.password);
    expect((await kept()).filter((name) => !/^shapedex\.(session|theme|scroll)/.test(name))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await kept()).filter((name) => /session|owner/.test(name))).toEqual([]);
    await page.context().close();
  });

  test('texts of files are shown as they are, and run nothing', async () => {
    const markup = '<img src="x" onerror="document.title = 1"><b>flange</b>';
    const { uid } = await site.company.put('words.txt', Buffer.from(`${markup} of steel`), {
      attributes: [`Note=${markup}`],
    });
    await site.engine.idle();
    const page = await site.open(`#/file/${uid}`);
    for (const hash of [`#/file/${uid}`, '#/?text=flange', '#/library']) {
      await page.goto(`${site.url}/${hash}`);
      await page.getByText('words.txt').first().waitFor();
      expect(await page.locator('main b, main img[src="x"]').count()).toBe(0);
    }
    await page.goto(`${site.url}/#/file/${uid}`);
    await page.getByText(markup).first().waitFor();
    await page.context().close();
  });

  test('a key of an earlier start is reported as such', async () => {
    const page = await site.open('#key=aaaaaaaaaaaaaaaaaaaaaaaa', { signedIn: false, expectsErrors: true });
    await page.goto(`${site.url}/#/library`);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('earlier start');
    await page.context().close();
  });

  test('a token or key of somebody is not taken from an address: nobody works in the account of who sent a link', async () => {
    const passwordDigest = createHash('sha1').update(site.user.password).digest();
    const { accessToken } = await site.engine.accounts.grantPassword({ email: site.user.email, passwordDigest });
    const users = await site.engine.accounts.users('acme');
    const { uid } = users.find(({ email }) => email === site.user.email)!;
    const { key } = await site.engine.accounts.keys.add({ user: uid, name: 'robot', current: passwordDigest });
    for (const own of [accessToken, key]) {
      const page = await site.open(`#key=${own}&/library`, { signedIn: false });
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('not taken from a link');
      expect(new URL(page.url()).hash).toBe('#/library');
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
      await page.context().close();
    }
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

test.skipIf(CHROMIUM === undefined)('an older catalogue is told on every screen (needs Chromium)', async () => {
  const { library } = await withOlderCatalogue(newLibrary());
  const site = await openSite({ files: {}, library });
  const page = await site.open('#/library');
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('“shapedex verify”');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Upload' }).click();
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('files that were stored may be missing');
  expect(site.errors).toEqual([]);
  await site.close();
});
