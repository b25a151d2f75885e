import { downloadHits } from '../api/blobs.js';
import type { WireQuery } from '../api/endpoints.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';

const TITLES = { csv: 'A table without pictures', xlsx: 'A workbook with pictures', pdf: 'Pages to be printed' };

/** Saves the hits of a search as a table. */
export function ExportButtons({ query }: { readonly query: WireQuery }) {
  const { busy, failure, run } = useAction();
  return (
    <>
      {(['csv', 'xlsx', 'pdf'] as const).map((format) => (
        <button
          key={format}
          type="button"
          disabled={busy !== ''}
          title={TITLES[format]}
          onClick={() => run(() => downloadHits(query, { format, pictures: format !== 'csv' }), 'Writing the table…')}
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
