import { signal } from '@preact/signals';

/** The user's choice; 'system': follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const STORED = 'shapedex.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The choice, kept in local storage. */
export const theme = signal<Theme>(readTheme());

/**
 * Sets `data-theme` of the document to 'light' or 'dark', now and whenever the choice or the system's theme changes.
 */
export function followTheme(): void {
  const apply = (): void => {
    document.documentElement.dataset['theme'] = shownTheme();
  };
  theme.subscribe(apply);
  dark.addEventListener('change', apply);
}

/** The theme that is shown. */
export function shownTheme(): 'light' | 'dark' {
  return theme.value === 'system' ? (dark.matches ? 'dark' : 'light') : theme.value;
}

/** Sets the theme and stores the choice. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(STORED, chosen);
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
