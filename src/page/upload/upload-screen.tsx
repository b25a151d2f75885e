import { useEffect, useState } from 'preact/hooks';
import { HREF } from '../common/route.js';
import { bytesText, count, durationText } from '../common/figures.js';
import { FileButton } from '../common/file-button.js';
import { Facts, Notice } from '../common/notice.js';
import { queuedOf, useSummary } from '../library/use-summary.js';
import { filesOfDrop, placedFiles, type PlacedFile } from './folder-files.js';
import { Unreadable } from './unreadable.js';
import { goOn, isUploading, retryFailed, startUpload, stopUpload, upload, type UploadState } from './upload-run.js';
import './upload.css';

/** The upload screen: puts files and folders into the library. */
export function UploadScreen() {
  const state = upload.value;
  const [below, setBelow] = useState('');
  const [over, setOver] = useState(false);
  const busy = isUploading();
  const { summary, refresh } = useSummary();
  useEffect(refresh, [state.sent, state.phase, refresh]);
  const start = (placed: readonly PlacedFile[]): void => void startUpload(placed, below);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer !== null && !busy) void filesOfDrop(event.dataTransfer).then(start);
  };
  const waiting = summary === undefined ? 0 : queuedOf(summary);
  return (
    <div class="upload">
      <h1>Upload</h1>
      <div
        class={`drop-zone${over ? ' drop-zone-over' : ''}`}
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(!busy);
        }}
        onDragLeave={() => setOver(false)}
      >
        <h2>Drop folders or files here</h2>
        <p class="drop-buttons">
          <FileButton folder class="primary" disabled={busy} onFiles={(files) => start(placedFiles(files))}>
            Choose a folder…
          </FileButton>
          <FileButton disabled={busy} onFiles={(files) => start(placedFiles(files))}>
            Choose files…
          </FileButton>
        </p>
        <label class="below">
          Put into folder
          <input
            type="text"
            value={below}
            placeholder="none"
            disabled={busy}
            spellcheck={false}
            onInput={(event) => setBelow(event.currentTarget.value)}
          />
        </label>
        <p class="quiet">
          Files keep their paths. A file that is already stored under its path is skipped if its bytes are the same, and
          replaced if they differ.
        </p>
      </div>
      {state.phase !== 'idle' && <Progress state={state} waiting={waiting} />}
      {state.failed.length > 0 && <NotStored state={state} />}
      {state.leftOut.length > 0 && <LeftOut paths={state.leftOut} />}
      {waiting > 0 && state.phase !== 'done' && (
        <Notice kind="info">
          {count(waiting)} {waiting === 1 ? 'file is' : 'files are'} waiting to be read or being read. Searches find a
          file after it has been read.
        </Notice>
      )}
      {state.phase !== 'idle' && (
        <Unreadable summary={summary} progress={`${state.phase} ${state.sent}`} onChanged={refresh} />
      )}
    </div>
  );
}

const PHASES: Readonly<Record<UploadState['phase'], string>> = {
  idle: '',
  looking: 'Checking which files are already stored…',
  sending: 'Sending',
  stopped: 'Stopped',
  done: 'Stored',
};

/** waiting: number of files in the library that are stored but not yet read. */
function Progress({ state, waiting }: { readonly state: UploadState; readonly waiting: number }) {
  const { phase, files, bytes, sent, unchanged, bytesDone, bytesPerSecond, failed, message } = state;
  const isMoving = phase === 'sending' && bytesPerSecond > 0;
  return (
    <section class="panel upload-progress" aria-label="Progress">
      <div class="upload-line">
        <h2>
          <span role="status">{phase === 'done' && waiting === 0 ? 'Done' : PHASES[phase]}</span>
        </h2>
        {phase === 'sending' && (
          <button type="button" onClick={stopUpload}>
            Stop
          </button>
        )}
        {phase === 'stopped' && (
          <button type="button" class="primary" onClick={() => void goOn()}>
            Resume
          </button>
        )}
        {phase === 'done' && (
          <a class="button" href={HREF.library({ order: 'newest' })}>
            Show in the library
          </a>
        )}
      </div>
      {message !== '' && <Notice kind="error">{message}</Notice>}
      {phase === 'done' && waiting > 0 && (
        <p role="status">
          All files are stored. {count(waiting)} {waiting === 1 ? 'waits' : 'wait'} to be read; searches find a file
          after it has been read. Reading continues if you close this page.
        </p>
      )}
      <progress aria-label="Bytes" max={Math.max(1, bytes)} value={phase === 'done' ? Math.max(1, bytes) : bytesDone} />
      <Facts
        class="upload-facts"
        of={[
          ['Files', `${count(sent + unchanged)} of ${count(files)}`],
          ['Unchanged', count(unchanged)],
          ['Not stored', count(failed.length)],
          ['Bytes', `${bytesText(phase === 'done' ? bytes : bytesDone)} of ${bytesText(bytes)}`],
          ['Rate', isMoving ? `${bytesText(Math.round(bytesPerSecond))}/s` : '–'],
          ['Time left', isMoving ? durationText((bytes - bytesDone) / bytesPerSecond) : '–'],
        ]}
      />
    </section>
  );
}

function NotStored({ state: { failed, phase } }: { readonly state: UploadState }) {
  return (
    <section class="panel" aria-labelledby="not-stored">
      <div class="upload-line">
        <h2 id="not-stored">Not stored</h2>
        <button type="button" disabled={phase === 'sending' || phase === 'looking'} onClick={() => void retryFailed()}>
          Send again
        </button>
      </div>
      <ul class="upload-list" tabIndex={0}>
        {failed.map(({ placed: { path }, message }) => (
          <li key={path}>
            <span class="upload-path">{path}</span>
            <span class="bad">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Most left-out paths that are shown. */
const SHOWN = 200;

function LeftOut({ paths }: { readonly paths: readonly string[] }) {
  return (
    <details class="panel">
      <summary>
        {count(paths.length)} {paths.length === 1 ? 'file was' : 'files were'} left out: format not supported
      </summary>
      <ul class="upload-list" tabIndex={0}>
        {paths.slice(0, SHOWN).map((path) => (
          <li key={path}>{path}</li>
        ))}
        {paths.length > SHOWN && <li>…</li>}
      </ul>
    </details>
  );
}
