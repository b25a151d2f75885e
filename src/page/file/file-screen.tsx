import { useEffect, useState } from 'preact/hooks';
import { forgetPictures } from '../api/pictures.js';
import { readRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { lazily } from '../common/lazily.js';
import { NoFile } from '../common/no-file.js';
import { Notice } from '../common/notice.js';
import { Tabs, type Tab } from '../common/tabs.js';
import { PageStage } from '../drawing/page-stage.js';
import { PmiList } from '../drawing/pmi-list.js';
import { hasPages, usePages, type FilePages } from '../drawing/use-pages.js';
import { ViewList } from '../drawing/view-list.js';
import { About } from './about.js';
import { FailedFile } from './failed-file.js';
import { noteInAddress, queryOfRoute, useFileAddress } from './file-address.js';
import { FileHead } from './file-head.js';
import { MatchPanel } from './match-panel.js';
import { ModelPmi, useModelAnnotations } from './model-pmi.js';
import { SharedParts } from './shared-parts.js';
import { SimilarFiles } from './similar-files.js';
import { TextPanel } from './text-panel.js';
import '../drawing/drawing.css';
import './file.css';

const ModelViewer = lazily(async () => (await import('../viewer/model-viewer.js')).ModelViewer);
const AssemblyTree = lazily(async () => (await import('./assembly-tree.js')).AssemblyTree);

/** Time between two requests for a record that is still queued, ms. */
const POLL_MS = 1_500;

/** One file: its model or pages, its data, and similar files. */
export function FileScreen({ uid }: { readonly uid: string }) {
  const [record, setRecord] = useState<WireRecord | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const pages = usePages(record);
  const load = async (signal?: AbortSignal): Promise<void> => {
    try {
      setRecord(await readRecord(uid, signal));
      setFailure(undefined);
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    void load(controller.signal);
    return () => controller.abort();
  }, [uid]);
  const isQueued = record?.state === 'queued';
  useEffect(() => {
    if (!isQueued) return;
    forgetPictures(uid);
    const timer = setInterval(() => void load(), POLL_MS);
    return () => clearInterval(timer);
  }, [isQueued]);
  useFileAddress(uid, pages.state, record && (record.pageCount ?? 1));
  useEffect(() => {
    if (record !== undefined) document.title = `${record.displayName} · shapedex`;
  }, [record?.displayName]);
  if (record === undefined)
    return failure === undefined ? (
      <p class="quiet" role="status">
        Loading…
      </p>
    ) : (
      <NoFile>{failure}</NoFile>
    );
  return (
    <article class="file">
      <FileHead record={record} />
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {isQueued && (
        <Notice kind="info">
          The file is waiting to be read or is being read. It appears here when it has been read.
        </Notice>
      )}
      {record.state === 'failed' && <FailedFile record={record} onRetried={load} />}
      <div class="file-body">
        <FileView record={record} pages={pages} />
        <aside class="file-side" aria-label="About the file">
          <FileSide record={record} pages={pages} onChanged={load} />
        </aside>
      </div>
      {record.state === 'indexed' && record.kind !== 'Text' && <SimilarFiles uid={uid} />}
    </article>
  );
}

interface PartProps {
  readonly record: WireRecord;
  readonly pages: FilePages;
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
  pages: { state, views, types, failure },
  onChanged,
}: PartProps & { readonly onChanged: () => Promise<void> }) {
  const isRead = record.state === 'indexed';
  const annotations = useModelAnnotations(record);
  const words = queryOfRoute('text');
  const likeUid = queryOfRoute('like');
  const tabs: Tab[] = [];
  // The file was found by a search with another file: the first tab shows how the two match.
  if (isRead && likeUid !== '' && likeUid !== record.uid)
    tabs.push({
      id: 'match',
      name: 'Match',
      body: () => <MatchPanel record={record} likeUid={likeUid} state={state} />,
    });
  const isAssembly = isRead && (record.componentCount ?? 0) > 1;
  if (isAssembly)
    tabs.push({
      id: 'assembly',
      name: 'Assembly',
      count: record.componentCount ?? undefined,
      body: () => (
        <>
          <AssemblyTree uid={record.uid} />
          <SharedParts uid={record.uid} />
        </>
      ),
    });
  tabs.push({ id: 'about', name: 'About', body: () => <About record={record} onChanged={onChanged} /> });
  if (hasPages(record)) {
    if (record.kind === 'TwoD' || types.size > 0)
      tabs.push({
        id: 'pmi',
        name: 'Dimensions',
        count: types.size,
        body: () => <PmiList state={state} types={types} />,
      });
    if (record.kind !== 'Text')
      tabs.push({
        id: 'views',
        name: 'Views',
        count: views.length,
        body: () => <ViewList record={record} views={views} state={state} />,
      });
    tabs.push({ id: 'text', name: 'Text', body: () => <TextPanel uid={record.uid} words={words} state={state} /> });
  } else if (isRead && record.kind === 'ThreeD') {
    if (annotations.objects.length > 0)
      tabs.push({
        id: 'pmi',
        name: 'Dimensions',
        count: annotations.objects.length,
        body: () => <ModelPmi uid={record.uid} objects={annotations.objects} />,
      });
    tabs.push({ id: 'text', name: 'Text', body: () => <TextPanel uid={record.uid} words={words} /> });
  }
  return (
    <>
      {[failure, annotations.failure].map(
        (said) =>
          said !== undefined && (
            <Notice key={said} kind="error">
              {said}
            </Notice>
          ),
      )}
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
