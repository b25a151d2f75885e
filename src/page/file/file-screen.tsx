import { useEffect } from 'preact/hooks';
import { forgetPictures } from '../api/blobs.js';
import { readRecord, type WireRecord } from '../api/endpoints.js';
import { lazily } from '../common/lazily.js';
import { NoFile } from '../common/no-file.js';
import { Failure, Notice, Status } from '../common/notice.js';
import { Tabs, type Tab } from '../common/tabs.js';
import { useLoaded } from '../common/use-loaded.js';
import { InspectionList } from '../drawing/inspection-list.js';
import { PageStage } from '../drawing/page-stage.js';
import { PmiList } from '../drawing/pmi-list.js';
import { hasPages, usePages } from '../drawing/use-pages.js';
import { ViewList } from '../drawing/view-list.js';
import { About } from './about.js';
import { ContainedPanel } from './contained-panel.js';
import { FailedFile } from './failed-file.js';
import { FeaturesPanel, useFeatures } from './features-panel.js';
import { askedOfRoute, noteInAddress, queryOfRoute, useFileAddress } from './file-address.js';
import { FileHead } from './file-head.js';
import { MatchPanel } from './match-panel.js';
import { ModelPmi, useModelAnnotations } from './model-pmi.js';
import { SharedParts } from './shared-parts.js';
import { SimilarFiles } from './similar-files.js';
import { TextPanel } from './text-panel.js';
import '../drawing/drawing.css';
import './file.css';

const ModelViewer = lazily(async () => (await import('../viewer/model-viewer.js')).ModelViewer);
const BillPanel = lazily(async () => (await import('./bill-panel.js')).BillPanel);
const AssemblyTree = lazily(async () => (await import('./assembly-tree.js')).AssemblyTree);

/** Time between two requests for a record that is still queued, ms. */
const POLL_MS = 1_500;

/** One file: its model or pages, its data, and similar files. */
export function FileScreen({ uid }: { readonly uid: string }) {
  const { value: record, failure, reload } = useLoaded((signal) => readRecord(uid, signal), [uid]);
  const pages = usePages(record);
  const isQueued = record?.state === 'queued';
  useEffect(() => {
    if (!isQueued) return;
    forgetPictures(uid);
    const timer = setInterval(() => void reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [isQueued]);
  useFileAddress(uid, pages.state, record && (record.pageCount ?? 1));
  useEffect(() => {
    if (record !== undefined) document.title = `${record.displayName} · shapedex`;
  }, [record?.displayName]);
  if (record === undefined) return failure === undefined ? <Status /> : <NoFile>{failure}</NoFile>;
  return (
    <article class="file">
      <FileHead record={record} onChanged={reload} />
      <Failure of={failure} />
      {isQueued && (
        <Notice kind="info">
          The file is waiting to be read or is being read. It appears here when it has been read.
        </Notice>
      )}
      {record.state === 'failed' && <FailedFile record={record} onRetried={reload} />}
      <div class="file-body">
        <FileView record={record} pages={pages} />
        <aside class="file-side" aria-label="About the file">
          <FileSide record={record} pages={pages} onChanged={reload} />
        </aside>
      </div>
      {record.state === 'indexed' && record.kind !== 'Text' && <SimilarFiles record={record} />}
    </article>
  );
}

interface PartProps {
  readonly record: WireRecord;
  readonly pages: ReturnType<typeof usePages>;
}

/** The model, the pages or the text of a file; nothing until it is indexed. */
function FileView({ record, pages: { state, views, types } }: PartProps) {
  if (record.state !== 'indexed') return null;
  if (record.kind === 'ThreeD')
    return (
      <div class="file-view">
        {record.triangleCount === null ? (
          <p class="quiet">The shape was not read.</p>
        ) : (
          <ModelViewer uid={record.uid} name={record.displayName} />
        )}
      </div>
    );
  if (!hasPages(record))
    return (
      <div class="file-view panel">
        <TextPanel uid={record.uid} words={queryOfRoute('text')} />
      </div>
    );
  return (
    <div class="file-view">
      <PageStage
        uid={record.uid}
        name={record.displayName}
        pageCount={Math.max(1, record.pageCount ?? 1)}
        state={state}
        hasPmi={types.size > 0}
        hasViews={views.length > 0}
      />
    </div>
  );
}

function FileSide({
  record,
  pages: { state, views, types, fields, failure },
  onChanged,
}: PartProps & { readonly onChanged: () => Promise<void> }) {
  const isRead = record.state === 'indexed';
  const annotations = useModelAnnotations(record);
  const features = useFeatures(record);
  const asked = askedOfRoute();
  const words = queryOfRoute('text');
  const likeUid = queryOfRoute('like');
  const tabs: Tab[] = [];
  const add = (id: string, name: string, body: Tab['body'], count?: number): void =>
    void tabs.push({ id, name, body, count });
  // The file was found by a search with another file: the first tab shows how the two match.
  if (isRead && likeUid !== '' && likeUid !== record.uid)
    add('match', 'Match', () => <MatchPanel record={record} likeUid={likeUid} state={state} />);
  if (isRead && asked.uid !== '') add('match', 'Match', () => <ContainedPanel record={record} asked={asked} />);
  if (isRead && (record.componentCount ?? 0) > 1) {
    const assembly = () => (
      <>
        <AssemblyTree uid={record.uid} />
        <SharedParts uid={record.uid} />
      </>
    );
    add('assembly', 'Assembly', assembly, record.componentCount ?? undefined);
    add('bill', 'Parts list', () => <BillPanel uid={record.uid} />);
  }
  add('about', 'About', () => <About record={record} onChanged={onChanged} />);
  const objects = annotations.value ?? [];
  if (hasPages(record)) {
    if (record.kind === 'TwoD' || types.size > 0)
      add('pmi', 'Dimensions', () => <PmiList state={state} types={types} fields={fields} />, types.size);
    if (types.size > 0) add('inspection', 'Inspection', () => <InspectionList uid={record.uid} state={state} />);
    if (record.kind !== 'Text')
      add('views', 'Views', () => <ViewList record={record} views={views} state={state} />, views.length);
    add('text', 'Text', () => <TextPanel uid={record.uid} words={words} state={state} />);
  } else if (isRead && record.kind === 'ThreeD') {
    const { value: found } = features;
    if (found !== undefined && found !== null)
      add('features', 'Features', () => <FeaturesPanel uid={record.uid} found={found} />, found.features?.length);
    if (objects.length > 0) {
      add('pmi', 'Dimensions', () => <ModelPmi record={record} objects={objects} />, objects.length);
      add('inspection', 'Inspection', () => <InspectionList uid={record.uid} />);
    }
    add('text', 'Text', () => <TextPanel uid={record.uid} words={words} />);
  }
  return (
    <>
      <Failure of={failure} />
      <Failure of={annotations.failure} />
      <Failure of={features.failure} />
      <Tabs
        label="About the file"
        tabs={tabs}
        chosen={queryOfRoute('tab') || (words === '' ? '' : 'text')}
        onChoose={(tab) => noteInAddress(record.uid, { tab })}
        bodyClass="file-side-body"
      />
    </>
  );
}
