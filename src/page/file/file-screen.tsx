import { useEffect, useState } from 'preact/hooks';
import { readRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { lazily } from '../common/lazily.js';
import { Notice } from '../common/notice.js';

const ModelViewer = lazily(async () => (await import('../viewer/model-viewer.js')).ModelViewer);
const DrawingViewer = lazily(async () => (await import('../drawing/drawing-viewer.js')).DrawingViewer);

/** One file: what it shows, what it says, where it is used. */
export function FileScreen({ uid }: { readonly uid: string }) {
  const [record, setRecord] = useState<WireRecord | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    readRecord(uid, leaving.signal).then(setRecord, (cause: unknown) => setFailure(messageOf(cause)));
    return () => leaving.abort();
  }, [uid]);
  if (failure !== undefined) return <Notice kind="error">{failure}</Notice>;
  if (record === undefined) return <p class="quiet" role="status">Loading…</p>;
  return (
    <>
      <h1>{record.displayName}</h1>
      {record.kind === 'ThreeD' ? <ModelViewer uid={uid} /> : <DrawingViewer uid={uid} />}
    </>
  );
}
