import { useEffect } from 'preact/hooks';
import { readRecord, type WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { areaText, boxText, count, volumeText } from '../common/figures.js';
import { lazily } from '../common/lazily.js';
import { NoFile } from '../common/no-file.js';
import { Notice, Status } from '../common/notice.js';
import { namesOf } from '../common/telling-names.js';
import { useLoaded } from '../common/use-loaded.js';
import { PmiCompare } from './pmi-compare.js';
import { AttributeDifferences, FeatureDifferences } from './difference-table.js';
import { Table } from './table.js';
import { ViewCompare } from './view-compare.js';
import './compare.css';

const ModelCompare = lazily(async () => (await import('./model-compare.js')).ModelCompare);

/** The compare screen: two files side by side or overlaid, and a table of their measures. */
export function CompareScreen({ uid, otherUid }: { readonly uid: string; readonly otherUid: string }) {
  const { value: records, failure } = useLoaded(
    (signal) => Promise.all([readRecord(uid, signal), readRecord(otherUid, signal)]),
    [uid, otherUid],
  );
  useEffect(() => {
    if (records !== undefined) document.title = `${namesOf(records).join(' and ')} · shapedex`;
  }, [records]);
  if (failure !== undefined && records === undefined) return <NoFile>{failure}</NoFile>;
  return (
    <article class="compare">
      <h1>Compare</h1>
      {records === undefined ? <Status /> : <Compared records={records} />}
    </article>
  );
}

function Compared({ records }: { readonly records: readonly [WireRecord, WireRecord] }) {
  const [first, second] = records;
  const names = namesOf(records);
  const unread = records.flatMap(({ state }, i) => (state === 'indexed' ? [] : [{ name: names[i], state }]));
  if (unread.length > 0)
    return (
      <Notice kind="info">
        {unread
          .map(({ name, state }) => `${name} ${state === 'failed' ? 'could not be read' : 'is not read yet'}`)
          .join('; ')}
        , so there is nothing to compare.
      </Notice>
    );
  const areModels = records.every(({ kind, triangleCount }) => kind === 'ThreeD' && triangleCount !== null);
  return (
    <>
      {areModels ? <ModelCompare uids={[first.uid, second.uid]} names={names} /> : <ViewCompare records={records} />}
      {areModels && <FeatureDifferences records={records} />}
      <PmiCompare records={records} />
      <Measures records={records} />
      <AttributeDifferences records={records} />
    </>
  );
}

/** The measures of both files, and by how much the second differs. */
function Measures({ records }: { readonly records: readonly [WireRecord, WireRecord] }) {
  const [first, second] = records;
  const [firstName, secondName] = namesOf(records);
  const rows: (readonly [string, string, string, string])[] = [['Path', pathOf(first), pathOf(second), '']];
  const add = (name: string, [a, b]: readonly (number | null)[], text: (value: number) => string): void => {
    if (a !== null && b !== null)
      rows.push([name, text(a), text(b), text === count ? differenceText(a, b) : changeText(a, b)]);
  };
  if (first.bboxSizeMm !== null && second.bboxSizeMm !== null)
    rows.push(['Smallest box', boxText(first.bboxSizeMm), boxText(second.bboxSizeMm), '']);
  add('Volume', [first.volumeMm3, second.volumeMm3], volumeText);
  add('Box volume', [first.bboxVolumeMm3, second.bboxVolumeMm3], volumeText);
  add('Surface', [first.surfaceAreaMm2, second.surfaceAreaMm2], areaText);
  add('Components', [first.componentCount, second.componentCount], count);
  add('Pages', [first.pageCount, second.pageCount], count);
  return (
    <section class="compare-figures" aria-labelledby="measures-heading">
      <h2 id="measures-heading">Measures</h2>
      <Table
        label="Measures of both"
        head={[
          <span class="hidden">Measure</span>,
          <a href={HREF.file(first.uid)}>{firstName}</a>,
          <a href={HREF.file(second.uid)}>{secondName}</a>,
          'Difference',
        ]}
        rows={rows}
        texts={2}
      />
      <p>
        <a class="button" href={HREF.compare(second.uid, first.uid)}>
          Swap files
        </a>
      </p>
    </section>
  );
}

function changeText(a: number, b: number): string {
  if (a === b) return 'none';
  if (a === 0) return '';
  const percent = 100 * (b / a - 1);
  return Math.abs(percent) < 0.005 ? '< 0.01 %' : `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(2)} %`;
}

/** The path of a file; a search input has none, so its name. */
function pathOf(record: WireRecord): string {
  return 'expiresAt' in record ? record.displayName : record.path;
}

/** Difference of two counts. */
function differenceText(a: number, b: number): string {
  return a === b ? 'none' : `${b > a ? '+' : '−'}${count(Math.abs(b - a))}`;
}
