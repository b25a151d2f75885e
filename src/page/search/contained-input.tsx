import { readRecord } from '../api/endpoints.js';
import { NOTHING_CONTAINED, type Contained } from '../common/contained.js';
import { ContainedOptions } from '../common/contained-options.js';
import { facesText } from '../api/face-numbers.js';
import { Picture } from '../common/picture.js';
import { HREF } from '../common/route.js';
import { useLoaded } from '../common/use-loaded.js';

interface ContainedInputProps {
  readonly of: Contained;
  readonly onChange: (contained: Contained) => void;
}

/** The shape that is looked for inside others, and how. */
export function ContainedInput({ of: contained, onChange }: ContainedInputProps) {
  const { uid, faces } = contained;
  const { value: record, failure } = useLoaded((signal) => readRecord(uid, signal), [uid]);
  const name = record?.displayName ?? 'file';
  const what =
    contained.wrongFaces !== ''
      ? 'Unknown faces of it'
      : faces.length === 0
        ? 'The whole of it'
        : faces.length === 1
          ? 'One of its faces'
          : `${faces.length} of its faces`;
  return (
    <section class="inputs" aria-label="Shape to find inside others">
      <ul>
        <li class="input">
          <span class="input-picture">
            {record?.state === 'indexed' && <Picture uid={uid} kind={record.kind} faces={faces} alt="" />}
          </span>
          <span class="input-text">
            <a href={HREF.file(uid, faces.length === 0 ? {} : { at: `faces ${facesText(faces)}` })}>{name}</a>
            <span class="quiet">{what}, inside other parts</span>
            {failure !== undefined && <span class="bad">{failure}</span>}
          </span>
          <button
            type="button"
            class="remove"
            aria-label={`Remove ${name} from the search`}
            onClick={() => onChange(NOTHING_CONTAINED)}
          >
            ×
          </button>
        </li>
      </ul>
      <div class="inputs-end" role="group" aria-label="How it is looked for">
        <ContainedOptions of={contained} onChange={(changes) => onChange({ ...contained, ...changes })} />
        <a href={HREF.file(uid, faces.length === 0 ? {} : { at: `faces ${facesText(faces)}` })}>
          {faces.length === 0 ? 'Pick some of its faces' : 'Pick other faces'}
        </a>
      </div>
    </section>
  );
}
