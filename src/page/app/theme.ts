import { signal } from '@preact/signals';

/** What the user chose; 'system': as the machine has it. */
export type Theme = 'system' | 'light' | 'dark';

const STORED = 'shapedex.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The choice, kept for the next visit. */
export const theme = signal<Theme>(readTheme());

/** Sets `data-theme` of the document to 'light' or 'dark', now and whenever choice or machine changes. */
export function followTheme(): void {
  const apply = (): void => {
    document.documentElement.dataset['theme'] = shownTheme();
  };
  theme.subscribe(apply);
  dark.addEventListener('change', apply);
}

/** What is shown. */
export function shownTheme(): 'light' | 'dark' {
  return theme.value === 'system' ? (dark.matches ? 'dark' : 'light') : theme.value;
}

/** Chooses, and keeps the choice. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(STORED, chosen);
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
