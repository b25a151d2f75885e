import { find, type WireHit } from '../api/endpoints.js';
import { readAttribute } from '../common/attribute-text.js';
import { boxText, count, momentText, volumeText } from '../common/figures.js';
import { attributeInUnits, sentenceInUnits } from '../common/in-units.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { Failure, Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { HREF, route } from '../common/route.js';
import { useLoaded } from '../common/use-loaded.js';
import { describeSearch } from './describe-search.js';
import { MatchBadge, pageOf } from './match-badge.js';
import { SearchPicture, useSearchedWith } from './search-picture.js';
import { addressQueryOf, searchOf, wireQueryOf } from './search-state.js';
import './sheet-screen.css';

/** Most files on a sheet: twelve pages of ten. */
const MOST_FILES = 120;
/** Attributes that a file has room for. */
const MOST_ATTRIBUTES = 4;

/** What a search finds, or some chosen files, laid out for paper; the browser prints it or saves it as PDF. */
export function SheetScreen() {
  const { query } = route.value;
  const queryAsText = query.toString();
  const files = query.get('files')?.split(',') ?? [];
  const asked = files.length > 0 ? { within: files } : wireQueryOf(searchOf(query));
  const { value: found, failure } = useLoaded(
    (signal) => find({ ...asked, limit: MOST_FILES, highlights: false }, signal),
    [queryAsText],
  );
  const words = describeSearch(queryAsText, useSearchedWith(queryAsText)?.displayName);
  if (failure !== undefined) return <Failure of={failure} />;
  if (found === undefined) return <Status />;
  const { hits, total } = found;
  return (
    <article class="sheet">
      <div class="sheet-acts row">
        <button type="button" class="primary" onClick={() => print()}>
          Print or save as PDF…
        </button>
        {files.length === 0 && <a href={HREF.search(addressQueryOf(searchOf(query)))}>Back to the search</a>}
      </div>
      <header class="sheet-head">
        {words !== '' && <SearchPicture queryText={queryAsText} />}
        <div>
          <h1>{words === '' ? `${count(hits.length)} files` : words}</h1>
          <p class="quiet">
            {hits.length < total ? `The first ${count(hits.length)} of ${count(total)} files` : `${count(total)} files`}
            , {momentText(new Date().toISOString())}
          </p>
        </div>
      </header>
      <ol class="sheet-files">
        {hits.map((hit, place) => (
          <SheetFile key={hit.uid} hit={hit} place={place} />
        ))}
      </ol>
    </article>
  );
}

function SheetFile({ hit, place }: { readonly hit: WireHit; readonly place: number }) {
  const { uid, kind, displayName, path, bboxSizeMm, volumeMm3, because, attributes } = hit;
  const facts = [
    KIND_NAMES[kind].one,
    ...(bboxSizeMm === null ? [] : [boxText(bboxSizeMm)]),
    ...(volumeMm3 === null ? [] : [volumeText(volumeMm3)]),
  ];
  return (
    <li>
      <span class="sheet-picture">
        <Picture uid={uid} kind={kind} alt="" page={pageOf(hit)} faces={hit.faces} />
      </span>
      <div class="sheet-text">
        <p class="sheet-name">
          {place + 1}. {displayName} <MatchBadge hit={hit} />
        </p>
        <p class="quiet sheet-path">{path}</p>
        <p>{facts.join(' · ')}</p>
        {because.length > 0 && <p>{because.map(({ text }) => sentenceInUnits(text)).join('; ')}</p>}
        {attributes.length > 0 && (
          <p>
            {attributes
              .slice(0, MOST_ATTRIBUTES)
              .map(readAttribute)
              .map(attributeInUnits)
              .map(({ name, unit, values }) => `${name}: ${values.join(', ')}${unit === '' ? '' : ` ${unit}`}`)
              .join(' · ')}
          </p>
        )}
      </div>
    </li>
  );
}
