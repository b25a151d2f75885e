import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { lazily } from '../common/lazily.js';
import { SearchScreen } from '../search/search-screen.js';
import { Header } from './header.js';
import { LibraryWarnings } from './library-warnings.js';
import { HREF, route } from '../common/route.js';
import { isSignedIn } from '../api/session.js';
import { focusNewScreen, Shortcuts } from './shortcuts.js';

// The code of all screens but the first is fetched when they are opened.
const SignIn = lazily(async () => (await import('./sign-in.js')).SignIn);
const SavedSearches = lazily(async () => (await import('../search/saved-searches.js')).SavedSearches);
const SheetScreen = lazily(async () => (await import('../search/sheet-screen.js')).SheetScreen);
const LibraryScreen = lazily(async () => (await import('../library/library-screen.js')).LibraryScreen);
const UploadScreen = lazily(async () => (await import('../upload/upload-screen.js')).UploadScreen);
const DuplicatesScreen = lazily(async () => (await import('../duplicates/duplicates-screen.js')).DuplicatesScreen);
const FileScreen = lazily(async () => (await import('../file/file-screen.js')).FileScreen);
const AccountScreen = lazily(async () => (await import('./account-screen.js')).AccountScreen);
const CompareScreen = lazily(async () => (await import('../compare/compare-screen.js')).CompareScreen);

/** The whole page. */
export function App() {
  const { title, screen } = isSignedIn.value ? screenOf(route.value.path) : { title: 'Sign in', screen: <SignIn /> };
  useEffect(() => {
    document.title = `${title} · shapedex`;
  }, [title]);
  const path = route.value.path.join('/');
  const shown = useRef(path);
  useEffect(() => {
    // When the page loads, the browser decides about the focus.
    if (shown.current !== path) focusNewScreen();
    shown.current = path;
  }, [path]);
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1}>
        {isSignedIn.value && <LibraryWarnings />}
        {screen}
      </main>
      <Shortcuts />
    </>
  );
}

function screenOf([first, uid, otherUid]: readonly string[]): {
  readonly title: string;
  readonly screen: ComponentChildren;
} {
  if (first === undefined) return { title: 'Search', screen: <SearchScreen /> };
  if (first === 'library') return { title: 'Library', screen: <LibraryScreen /> };
  if (first === 'duplicates') return { title: 'Duplicates', screen: <DuplicatesScreen /> };
  if (first === 'upload') return { title: 'Upload', screen: <UploadScreen /> };
  if (first === 'searches') return { title: 'Saved searches', screen: <SavedSearches /> };
  if (first === 'sheet') return { title: 'Sheet', screen: <SheetScreen key={route.value.query.toString()} /> };
  if (first === 'account') return { title: 'Account', screen: <AccountScreen /> };
  if (first === 'file' && uid !== undefined) return { title: 'File', screen: <FileScreen key={uid} uid={uid} /> };
  if (first === 'compare' && otherUid !== undefined)
    return { title: 'Compare', screen: <CompareScreen key={`${uid} ${otherUid}`} uid={uid} otherUid={otherUid} /> };
  return {
    title: 'Not found',
    screen: (
      <div class="panel">
        <h1>There is no such screen</h1>
        <p>
          <a href={HREF.search()}>Go to the search</a>
        </p>
      </div>
    ),
  };
}
