import type { PmiComparison } from '../../index.js';
import { download } from '../api/blobs.js';
import { readPmiComparison, type WireRecord } from '../api/endpoints.js';
import { Failure } from '../common/notice.js';
import { namesOf } from '../common/telling-names.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { Table } from './table.js';

const STATUS: Readonly<Record<PmiComparison['rows'][number]['status'], string>> = {
  contradicts: 'contradicts',
  first: 'first alone',
  second: 'second alone',
  agrees: 'agrees',
  unsure: 'to be checked',
};

/** What the dimensions and tolerances of two files say about the part; nothing where one of them has none. */
export function PmiCompare({ records }: { readonly records: readonly [WireRecord, WireRecord] }) {
  const [first, second] = records;
  const { value } = useLoaded((signal) => readPmiComparison(first.uid, second.uid, signal), [first.uid, second.uid]);
  const { run, failure } = useAction();
  if (value === undefined || value.rows.length === 0) return null;
  const { agrees, contradicts, unsure, first: inFirst, second: inSecond } = value.counts;
  return (
    <section class="compare-figures" aria-labelledby="pmi-heading">
      <h2 id="pmi-heading">Dimensions and tolerances</h2>
      <p>
        {agrees} agree, {contradicts} contradict, {inFirst} in the first alone, {inSecond} in the second alone
        {unsure > 0 && `, ${unsure} are to be checked: read unsurely`}; {value.note}.
      </p>
      <div class="row">
        <button
          type="button"
          onClick={() => run(() => download('PMIComparisonFile', { fileUID: first.uid, otherUID: second.uid }))}
        >
          Save as CSV
        </button>
      </div>
      <Failure of={failure} />
      <Table
        label="Dimensions and tolerances of both"
        head={['Status', 'Kind', ...namesOf(records), 'Differences']}
        rows={value.rows.map((row) => [
          STATUS[row.status],
          (row.first ?? row.second)?.kind ?? '',
          row.first?.reading ?? '',
          row.second?.reading ?? '',
          [
            ...row.differences.map((each) => `${each.what}: ${each.first} / ${each.second}`),
            ...(row.oneOf === undefined ? [] : [`one of ${row.oneOf} alike`]),
          ].join('; '),
        ])}
        texts={4}
      />
    </section>
  );
}
