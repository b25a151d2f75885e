import { useEffect, useState } from 'preact/hooks';
import { listRecords, readSummary } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { HREF } from '../app/route.js';
import { count } from '../common/figures.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';

/** Files offered as a start, and records requested to find them: some have no shape to search with. */
const SHOWN = 12;
const LOOKED_AT = 60;

/** The search screen without a search: a hint, and files to start from. */
export function Welcome() {
  const [records, setRecords] = useState<readonly WireRecord[] | undefined>(undefined);
  const [files, setFiles] = useState(0);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    Promise.all([
      listRecords({ state: 'indexed', order: 'addedAt', direction: 'falling', limit: LOOKED_AT }, signal),
      readSummary(signal),
    ]).then(
      ([found, summary]) => {
        setRecords(found.filter(({ kind, textOnly }) => kind !== 'Text' && !textOnly).slice(0, SHOWN));
        setFiles(summary.files);
      },
      (cause: unknown) => setFailure(messageOf(cause)),
    );
    return () => controller.abort();
  }, []);
  if (failure !== undefined) return <Notice kind="error">{failure}</Notice>;
  return (
    <>
      <div class="drop-hint">
        <h2>Drop a model, a drawing, a photo or a sketch anywhere on this page</h2>
        <p class="quiet">
          Files that look alike come first, whatever their format. Several models are taken as versions of one part;
          several drawings or photos as views of one part.
        </p>
      </div>
      {records !== undefined && files === 0 && (
        <div class="panel nothing">
          <h2>The library is empty</h2>
          <p>
            <a href={HREF.upload}>Upload a folder</a>, or index one with <code>shapedex index</code>.
          </p>
        </div>
      )}
      {records !== undefined && records.length > 0 && (
        <section aria-labelledby="newest">
          <h2 id="newest">Or begin with one of the {count(files)} files of the library</h2>
          <ul class="begin">
            {records.map(({ uid, kind, displayName, path }) => (
              <li key={uid}>
                <a href={HREF.search({ like: uid })} title={path}>
                  <span class="begin-picture">
                    <Picture uid={uid} kind={kind} alt="" />
                  </span>
                  <span class="begin-name">
                    <span class="hidden">Find files like </span>
                    {displayName}
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
