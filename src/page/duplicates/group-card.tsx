import { useState } from 'preact/hooks';
import { keepDuplicate, markDifferent, type WireDecision, type WireGroup, type WireMember } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { boxText, bytesText, count, figure, lengthText, momentText, volumeText } from '../common/figures.js';
import { Facts, type Fact } from '../common/notice.js';
import { FilePicture } from '../common/picture.js';
import { wordsOf } from './class-words.js';

interface GroupCardProps {
  readonly group: WireGroup;
  /** Runs a decision; `sentence` is shown when it is done. */
  readonly onAct: (sentence: string, work: () => Promise<readonly WireDecision[]>) => void;
}

/** Most files that can be declared different in one decision. */
const MOST_DIFFERENT = 100;
/** Files of a group that are shown at first, and added per click. */
const STEP = 24;

/** One group: its files side by side, the evidence, and the decisions. */
export function GroupCard({ group, onAct }: GroupCardProps) {
  const { members, matchClass, settled, keep, spareBytes } = group;
  const [first] = members;
  const [shown, setShown] = useState(STEP);
  const { name, sentence } = wordsOf(matchClass, first.kind === 'TwoD');
  return (
    <section class="panel group" aria-label={`${name}: ${first.path}`}>
      <div class="group-head">
        <h2>
          <span class={`badge badge-${matchClass}`}>{name}</span> {count(members.length)} files
        </h2>
        <p class="quiet">
          {sentence}
          {matchClass === 'bytes' || matchClass === 'identical'
            ? ` Keeping only one would save ${bytesText(spareBytes)}.`
            : ''}
        </p>
        {settled && <span class="chip chip-settled">Decided</span>}
        {matchClass !== 'bytes' && members.length <= MOST_DIFFERENT && (
          <button
            type="button"
            onClick={() =>
              onAct(`${count(members.length)} files are different and no longer shown together.`, () =>
                markDifferent(members.map(({ uid }) => uid)),
              )
            }
          >
            These are different
          </button>
        )}
      </div>
      <ul class="group-members">
        {members.slice(0, shown).map((member) => (
          <li key={member.uid} class={`member${member.uid === keep ? ' member-kept' : ''}`}>
            <a class="member-picture" href={HREF.file(member.uid)} tabIndex={-1} aria-hidden="true">
              <FilePicture of={member} />
            </a>
            <a class="member-name" href={HREF.file(member.uid)} title={member.path}>
              {nameOf(member.path)}
            </a>
            <p class="quiet member-folder" title={member.path}>
              {folderOf(member.path)}
            </p>
            <Facts class="member-facts" of={factsOf(member)} />
            <div class="member-acts">
              <button
                type="button"
                aria-pressed={member.uid === keep}
                aria-label={`${member.uid === keep ? 'Keeping' : 'Keep this one'}: ${member.path}`}
                disabled={member.uid === keep}
                onClick={() =>
                  onAct(`${nameOf(member.path)} is the one to keep.`, () => keepDuplicate(member.uid, matchClass))
                }
              >
                {member.uid === keep ? 'Keeping' : 'Keep this one'}
              </button>
              {members.length > 2 && matchClass !== 'bytes' && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Not the same: ${member.path}`}
                  onClick={() =>
                    onAct(`${nameOf(member.path)} is different from the others.`, () =>
                      markDifferent(
                        members
                          .filter(({ uid }) => uid !== member.uid)
                          .slice(0, MOST_DIFFERENT)
                          .map(({ uid }) => uid),
                        member.uid,
                      ),
                    )
                  }
                >
                  Not the same
                </button>
              )}
              {member !== first && member.kind !== 'Text' && matchClass !== 'bytes' && (
                <a href={HREF.compare(first.uid, member.uid)} aria-label={`Compare ${member.path} with ${first.path}`}>
                  Compare
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
      {members.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {count(Math.min(STEP, members.length - shown))} more of {count(members.length - shown)} files
        </button>
      )}
    </section>
  );
}

/** The evidence that a file belongs to its group. */
function factsOf({
  matchClass,
  volumeMm3,
  bboxSizeMm,
  byteLength,
  transform,
  maxDeviationMm,
  scale,
  score,
  addedAt,
  copies,
  drawn,
}: WireMember): readonly Fact[] {
  const facts: Fact[] = [];
  if (matchClass !== null) facts.push(['Match', wordsOf(matchClass, false).name]);
  if (volumeMm3 !== null) facts.push(['Volume', volumeText(volumeMm3)]);
  if (bboxSizeMm !== null) facts.push(['Smallest box', boxText(bboxSizeMm)]);
  if (transform !== null) facts.push(['Placement', placementText(transform)]);
  if (maxDeviationMm !== null)
    facts.push(['Deviation', maxDeviationMm < 5e-7 ? 'none found' : `at most ${lengthText(maxDeviationMm)}`]);
  if (matchClass === 'scaled') facts.push(['Scale', `× ${figure(scale)}`]);
  if (drawn !== null) facts.push(['Drawn', drawn.text.replace(/^drawn /, '')]);
  if (matchClass === 'near') facts.push(['Score', figure(score)]);
  if (copies > 0) facts.push(['Copies', `${count(copies)} more`]);
  facts.push(['File', bytesText(byteLength)], ['Added', momentText(addedAt)]);
  return facts;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '\u00a0';
}

/** Smaller angles (degrees) and distances (mm) are rounding errors. */
const LEAST_DEGREES = 0.05;
const LEAST_MM = 5e-4;

/**
 * `turned by 90°, moved by 12.5 mm`. transform: 16 numbers, column-major; it may scale and mirror.
 */
function placementText(transform: readonly number[]): string {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = transform;
  const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  const size = Math.cbrt(Math.abs(determinant)) * Math.sign(determinant);
  // Divided by its (signed) scale the matrix is a rotation, whose trace gives the angle. A mirroring is a point
  // reflection followed by a rotation.
  const degrees = (Math.acos(Math.min(1, Math.max(-1, ((a + e + i) / size - 1) / 2))) * 180) / Math.PI;
  const way = Math.hypot(x, y, z);
  const said = [
    ...(degrees < LEAST_DEGREES ? [] : [`turned by ${figure(degrees)}°`]),
    ...(way < LEAST_MM ? [] : [`moved by ${lengthText(way)}`]),
  ];
  return said.length === 0 ? 'in the same place' : said.join(', ');
}
