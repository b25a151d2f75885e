import { downloadHits } from '../api/blobs.js';
import type { WireQuery } from '../api/endpoints.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';

/** Saves the hits of a search as a table. */
export function ExportButtons({ query }: { readonly query: WireQuery }) {
  const { busy, failure, run } = useAction();
  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button
          key={format}
          type="button"
          disabled={busy !== ''}
          title={format === 'xlsx' ? 'A workbook with pictures' : 'A table without pictures'}
          onClick={() => run(() => downloadHits(query, { format, pictures: format === 'xlsx' }), 'Writing the table…')}
        >
          Save as {format.toUpperCase()}
        </button>
      ))}
      <span class="quiet" role="status">
        {busy}
      </span>
      <Failure of={failure} />
    </>
  );
}
