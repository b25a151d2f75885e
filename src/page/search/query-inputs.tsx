import { readRecord, type WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { FileButton } from '../common/file-button.js';
import { areaText, boxText, volumeText } from '../common/figures.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { Picture } from '../common/picture.js';
import { useLoaded } from '../common/use-loaded.js';
import { droppedFiles, forgetDropped, forgetOne, MOST_INPUTS, type DroppedFile } from './dropped-files.js';
import type { SearchState } from './search-state.js';

interface QueryInputsProps {
  readonly search: SearchState;
  /** Called with the new list of inputs, each to be used as a whole. */
  readonly onLike: (like: readonly string[]) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The inputs of the search, files that are being sent or read, and files that could not be read. */
export function QueryInputs({ search: { like, crop }, onLike, onFiles }: QueryInputsProps) {
  const dropped = droppedFiles.value;
  if (like.length + dropped.length === 0) return null;
  return (
    <section class="inputs" aria-label="Files to search with">
      <ul>
        {like.map((uid) => (
          <Input
            key={uid}
            uid={uid}
            onWhole={crop === '' ? undefined : () => onLike(like)}
            onRemove={() => onLike(like.filter((other) => other !== uid))}
          />
        ))}
        {dropped.map((file) => (
          <Dropped key={file.id} file={file} />
        ))}
      </ul>
      <div class="inputs-end">
        {like.length < MOST_INPUTS && like.length > 0 && (
          <FileButton class="plain" onFiles={onFiles}>
            Add another file…
          </FileButton>
        )}
        {dropped.some(({ state }) => state !== 'failed') && (
          <button type="button" class="plain" onClick={forgetDropped}>
            Stop
          </button>
        )}
      </div>
    </section>
  );
}

interface InputProps {
  readonly uid: string;
  /** Searches with the whole file; undefined if this is already so. */
  readonly onWhole: (() => void) | undefined;
  readonly onRemove: () => void;
}

function Input({ uid, onWhole, onRemove }: InputProps) {
  const { value: record, failure } = useLoaded((signal) => readRecord(uid, signal), [uid]);
  const name = record?.displayName ?? 'file';
  return (
    <li class="input">
      <span class="input-picture">
        {record?.state === 'indexed' && <Picture uid={uid} kind={record.kind} alt="" />}
      </span>
      <span class="input-text">
        <a href={HREF.file(uid)} title={record !== undefined && !('expiresAt' in record) ? record.path : undefined}>
          {name}
        </a>
        {record !== undefined && onWhole === undefined && (
          <span class="quiet">
            {factsOf(record)}
            {record.kind === 'ThreeD' && record.state === 'indexed' && (
              <>
                {' · '}
                <a href={HREF.search({ contains: uid })}>Find it inside others</a>
              </>
            )}
          </span>
        )}
        {onWhole !== undefined && (
          <span class="quiet">
            Only one view of it.{' '}
            <button type="button" class="plain" onClick={onWhole}>
              Use the whole file
            </button>
          </span>
        )}
        {failure !== undefined && <span class="bad">{failure}</span>}
        {record?.warnings
          .filter(({ code }) => code === 'FILE_TRUNCATED')
          .map(({ message }) => (
            <span key={message} class="bad">
              Searched by what could be read: {message}
            </span>
          ))}
      </span>
      <button type="button" class="remove" aria-label={`Remove ${name} from the search`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}

/** What tells an input from others of its name: its last folder, kind and measures. */
function factsOf(record: WireRecord): string {
  const { path, kind, bboxSizeMm, volumeMm3, surfaceAreaMm2 } = record;
  // A file that was only put to search with has no folder.
  const folder = 'expiresAt' in record ? undefined : path.split('/').at(-2);
  return [
    ...(folder === undefined ? [] : [`${folder}/`]),
    KIND_NAMES[kind].one,
    ...(bboxSizeMm === null ? [] : [boxText(bboxSizeMm)]),
    ...(volumeMm3 === null ? [] : [volumeText(volumeMm3)]),
    ...(surfaceAreaMm2 === null ? [] : [areaText(surfaceAreaMm2)]),
  ].join(' · ');
}

function Dropped({ file: { id, name, state, message, bytesSent, byteLength } }: { readonly file: DroppedFile }) {
  return (
    <li class={`input input-${state}`}>
      <span class="input-text">
        <span class="input-name">{name}</span>
        {state === 'failed' ? (
          <span class="bad" role="alert">
            {message}
          </span>
        ) : state === 'reading' ? (
          <span class="quiet" role="status">
            Reading…
          </span>
        ) : (
          <progress max={byteLength} value={bytesSent} aria-label={`Sending ${name}`} />
        )}
      </span>
      {state === 'failed' && (
        <button type="button" class="remove" aria-label={`Remove ${name}`} onClick={() => forgetOne(id)}>
          ×
        </button>
      )}
    </li>
  );
}
