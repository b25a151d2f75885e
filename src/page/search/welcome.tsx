import { useEffect } from 'preact/hooks';
import { listRecords, readSummary } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { count } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { tellingNames } from '../common/telling-names.js';
import { useLoaded } from '../common/use-loaded.js';
import { lazily } from '../common/lazily.js';
import { recentSearches } from '../common/recent-searches.js';
import { FirstSteps } from './first-steps.js';

const RecentList = lazily(async () => (await import('./recent-list.js')).RecentList);

/** Files offered as a start, and records requested to find them: some have no shape to search with. */
const SHOWN = 12;
const LOOKED_AT = 60;
const MOST_RECENT = 6;

/** When the code of results is fetched, after the first screen and its pictures. */
const AHEAD_MS = 500;

/** The search screen without a search: a hint, and files to start from. */
export function Welcome() {
  // What shows results is there before the first search.
  useEffect(() => {
    // Where that fails, the search tries again and says why.
    const timer = setTimeout(() => import('./found.js').catch(() => undefined), AHEAD_MS);
    return () => clearTimeout(timer);
  }, []);
  const { value: [found, summary] = [], failure } = useLoaded((signal) => {
    const query = { state: 'indexed', order: 'addedAt', direction: 'falling', limit: LOOKED_AT } as const;
    return Promise.all([listRecords(query, signal), readSummary(signal)]);
  }, []);
  if (failure !== undefined) return <Failure of={failure} />;
  const records = (found ?? []).filter(({ kind, textOnly }) => kind !== 'Text' && !textOnly).slice(0, SHOWN);
  const names = tellingNames(records);
  return (
    <>
      <FirstSteps />
      <div class="drop-hint">
        <h2>Drop a model, a drawing, a photo or a sketch anywhere on this page</h2>
        <p class="quiet">
          Files that look alike come first, whatever their format. Several models are taken as versions of one part;
          several drawings or photos as views of one part. To find parts that hold a shape, such as a hole pattern, open
          a model and use “Find inside others”, or pick some of its faces.
        </p>
      </div>
      {summary?.files === 0 && (
        <div class="panel nothing">
          <h2>The library is empty</h2>
          <p>
            <a href={HREF.upload}>Upload a folder</a>, or index one with <code>shapedex index</code>.
          </p>
        </div>
      )}
      {recentSearches.value.length > 0 && <RecentList most={MOST_RECENT} />}
      {summary !== undefined && records.length > 0 && (
        <section aria-labelledby="newest">
          <h2 id="newest">Or begin with one of the {count(summary.files)} files of the library</h2>
          <ul class="begin">
            {records.map(({ uid, kind, displayName, path }) => (
              <li key={uid}>
                <a href={HREF.search({ like: uid })} title={path}>
                  <span class="begin-picture">
                    <Picture uid={uid} kind={kind} alt="" />
                  </span>
                  <span class="begin-name">
                    <span class="hidden">Find files like </span>
                    {names.get(path) ?? displayName}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
