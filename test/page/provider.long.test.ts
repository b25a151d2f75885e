import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { CLIENT, openProvider, type TestProvider } from '../http/openid-provider.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

// Signing in on the page by an identity provider.

describe.skipIf(CHROMIUM === undefined)('the page with an identity provider (needs Chromium)', () => {
  let provider: TestProvider;
  let site: Site;
  beforeAll(async () => {
    provider = await openProvider();
    site = await openSite({
      files: {},
      http: { openId: { ...CLIENT, issuer: provider.issuer, title: 'Acme', company: 'acme' }, passwordGrant: false },
    });
    provider.redirects.add(`${site.url}/`);
  });
  afterAll(async () => {
    await site.close();
    await provider.close();
  });

  const ann = { sub: 'p-1', email: 'ann@acme.example', email_verified: true, given_name: 'Ann' };
  const button = { name: 'Sign in with Acme' };

  test('the button leads there and back to the screen that was asked for; the account has no password', async () => {
    provider.signsIn = ann;
    const page = await site.open('#/library', { signedIn: false });
    await page.getByRole('button', button).waitFor();
    await page.getByLabel('Password').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await shot(page, 'sign-in-provider');
    await page.getByRole('button', button).click();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    // Neither the code nor what was kept stays behind.
    expect(page.url()).toBe(`${site.url}/#/library`);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.getByRole('link', { name: ann.email }).click();
    await page.getByText('has no password here').waitFor();
    await page.getByRole('region', { name: 'Where you are signed in' }).getByText('Here', { exact: true }).waitFor();
    await page.getByLabel('What it is for').fill('nightly import');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText(/sdx_/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  test('who is refused, and an answer that this tab did not ask for, are told so', async () => {
    provider.signsIn = { ...ann, email_verified: false };
    const page = await site.open('#/library', { signedIn: false, expectsErrors: true });
    await page.getByRole('button', button).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('not verified');
    // A link that would sign this browser in as somebody else.
    await page.goto(`${site.url}/?code=of-somebody-else&state=guessed#/library`);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('not asked for here');
    expect(page.url()).toBe(`${site.url}/`);
    await page.getByRole('button', button).waitFor();
    await page.context().close();
  });

  test('nothing of it was an error of the browser', () => {
    expect(site.errors).toEqual([]);
  });
});
