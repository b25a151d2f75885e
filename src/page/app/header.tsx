import { useEffect, useRef } from 'preact/hooks';
import { HREF, route } from '../common/route.js';
import { isSignedIn, signedInAs, signOut } from '../api/session.js';
import { forgetSearches } from '../common/recent-searches.js';
import { chooseUnits, units, type Units } from '../common/units.js';
import { chooseTheme, theme, type Theme } from './theme.js';

const LINKS = [
  { name: 'Search', href: HREF.search(), part: undefined },
  { name: 'Library', href: HREF.library(), part: 'library' },
  { name: 'Duplicates', href: HREF.duplicates, part: 'duplicates' },
  { name: 'Upload', href: HREF.upload, part: 'upload' },
  { name: 'Saved searches', href: HREF.searches, part: 'searches' },
] as const;

const THEMES: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'system', name: 'Auto' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

/** Header: brand, links to the screens, theme, and the signed-in user. */
export function Header() {
  const [part] = route.value.path;
  const screens = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow windows the links scroll: bring the current one into view without scrolling the page.
    const link = screens.current?.querySelector<HTMLElement>('[aria-current]');
    if (screens.current !== null && link)
      screens.current.scrollLeft =
        link.offsetLeft - screens.current.offsetLeft - (screens.current.clientWidth - link.offsetWidth) / 2;
  }, [part]);
  return (
    <header class="header">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <a class="brand" href={HREF.search()}>
        <BrandIcon />
        shapedex
      </a>
      {isSignedIn.value && (
        <nav ref={screens} aria-label="Screens">
          {LINKS.map((link) => (
            <a key={link.name} href={link.href} aria-current={link.part === part ? 'page' : undefined}>
              {link.name}
            </a>
          ))}
        </nav>
      )}
      <div class="header-end">
        <label class="theme">
          <span class="hidden">Theme</span>
          <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
            {THEMES.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="theme">
          <span class="hidden">Units</span>
          <select value={units.value} onChange={(event) => chooseUnits(event.currentTarget.value as Units)}>
            <option value="mm">mm</option>
            <option value="in">inch</option>
          </select>
        </label>
        {signedInAs.value !== '' && (
          <>
            <a class="who" href={HREF.account} title={`Change the password of ${signedInAs.value}`}>
              {signedInAs.value}
            </a>
            <button
              type="button"
              onClick={() => {
                forgetSearches();
                signOut();
              }}
            >
              Sign out
            </button>
          </>
        )}
      </div>
    </header>
  );
}

/** The router uses the hash, so the link's own `#main` must not be followed. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function BrandIcon() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d="M16 3 27.3 9.5v13L16 29 4.7 22.5v-13z" fill="#1f5fae" />
      <path d="M16 3 27.3 9.5 16 16 4.7 9.5z" fill="#7fb2ee" />
      <path d="M16 16 27.3 9.5v13L16 29z" fill="#174a8a" />
    </svg>
  );
}
