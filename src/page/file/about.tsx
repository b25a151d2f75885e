import type { WireRecord } from '../api/endpoints.js';
import { areaText, boxText, bytesText, count, momentText, sentence, volumeText } from '../common/figures.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { Facts, type Fact } from '../common/notice.js';
import { Attributes } from './attributes.js';
import { CategoryChoice } from './category.js';
import { Mass } from './mass.js';
import { UsedIn } from './used-in.js';

interface AboutProps {
  readonly record: WireRecord;
  readonly onChanged: () => Promise<void>;
}

/** Facts, warnings, category and attributes of a file. */
export function About({ record, onChanged }: AboutProps) {
  return (
    <div class="about">
      <Facts class="facts" of={factsOf(record)} />
      {record.state === 'indexed' && <Mass record={record} />}
      {record.warnings.length > 0 && (
        <section aria-labelledby="warnings-title">
          <h2 id="warnings-title">Warnings</h2>
          <ul class="warnings">
            {record.warnings.map((warning, i) => (
              <li key={i} title={warning.code} class={isSlight(warning, record) ? 'slight' : undefined}>
                {sentence(warning.message)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {record.kind === 'ThreeD' && record.state === 'indexed' && <UsedIn uid={record.uid} />}
      {/* A search input has neither category nor attributes. */}
      {!('expiresAt' in record) && (
        <>
          <CategoryChoice record={record} onChanged={onChanged} />
          <Attributes record={record} onChanged={onChanged} />
        </>
      )}
    </div>
  );
}

/** If less than this share of the triangles was dropped, the warning is shown as unimportant. */
const SLIGHT_SHARE = 0.001;

function isSlight({ code, message }: WireRecord['warnings'][number], { triangleCount }: WireRecord): boolean {
  const dropped = Number(/^\d+/.exec(message)?.[0]);
  return code === 'TRIANGLES_DROPPED' && triangleCount !== null && dropped < SLIGHT_SHARE * (dropped + triangleCount);
}

function factsOf(record: WireRecord): readonly Fact[] {
  const { bboxSizeMm, volumeMm3, bboxVolumeMm3, surfaceAreaMm2, triangleCount, faceCount, componentCount, pageCount } =
    record;
  const format = record.extension === '' ? '' : ` (${record.extension.slice(1).toUpperCase()})`;
  const facts: Fact[] = [['Kind', `${KIND_NAMES[record.kind].one}${format}`]];
  if (bboxSizeMm !== null) facts.push(['Smallest box', boxText(bboxSizeMm)]);
  if (volumeMm3 !== null) facts.push(['Volume', volumeText(volumeMm3)]);
  if (bboxVolumeMm3 !== null) facts.push(['Box volume', volumeText(bboxVolumeMm3)]);
  if (surfaceAreaMm2 !== null) facts.push(['Surface', areaText(surfaceAreaMm2)]);
  if (faceCount !== null) facts.push(['Faces', count(faceCount)]);
  if (triangleCount !== null) facts.push(['Triangles', count(triangleCount)]);
  if (componentCount !== null && componentCount > 1) facts.push(['Components', count(componentCount)]);
  if (pageCount !== null && pageCount > 1) facts.push(['Pages', count(pageCount)]);
  facts.push(['File size', bytesText(record.byteLength)], ['Added', momentText(record.addedAt)]);
  if (record.indexedAt !== null) facts.push(['Read', momentText(record.indexedAt)]);
  if (record.textOnly) facts.push(['Found by', 'text and attributes only']);
  return facts;
}
