import { useState } from 'preact/hooks';
import {
  keepDuplicate,
  markDifferent,
  type WireDecision,
  type WireGroup,
  type WireMember,
} from '../api/duplicate-groups.js';
import { HREF } from '../app/route.js';
import { boxText, bytesText, count, figure, momentText, volumeText } from '../common/figures.js';
import { KindIcon } from '../common/kind-icon.js';
import { Picture } from '../common/picture.js';
import { wordsOf } from './class-words.js';
import { placementText } from './placement-text.js';

interface GroupCardProps {
  readonly group: WireGroup;
  /** Runs a decision; `sentence` is shown when it is done. */
  readonly onAct: (sentence: string, work: () => Promise<readonly WireDecision[]>) => Promise<void>;
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
  const { name, sentence } = wordsOf(matchClass);
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
        {members.length <= MOST_DIFFERENT && (
          <button
            type="button"
            onClick={() =>
              void onAct(`${count(members.length)} files are different and no longer shown together.`, () =>
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
              {member.state === 'indexed' ? (
                <Picture uid={member.uid} kind={member.kind} alt="" />
              ) : (
                <span class="picture picture-none">
                  <KindIcon kind={member.kind} />
                </span>
              )}
            </a>
            <a class="member-name" href={HREF.file(member.uid)} title={member.path}>
              {nameOf(member.path)}
            </a>
            <p class="quiet member-folder" title={member.path}>
              {folderOf(member.path)}
            </p>
            <dl class="member-facts">
              {factsOf(member).map(([term, value]) => (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <div class="member-acts">
              <button
                type="button"
                aria-pressed={member.uid === keep}
                aria-label={`${member.uid === keep ? 'Keeping' : 'Keep this one'}: ${member.path}`}
                disabled={member.uid === keep}
                onClick={() =>
                  void onAct(`${nameOf(member.path)} is the one to keep.`, () => keepDuplicate(member.uid, matchClass))
                }
              >
                {member.uid === keep ? 'Keeping' : 'Keep this one'}
              </button>
              {members.length > 2 && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Not the same: ${member.path}`}
                  onClick={() =>
                    void onAct(`${nameOf(member.path)} is different from the others.`, () =>
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
              {member !== first && member.kind === 'ThreeD' && (
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
}: WireMember): readonly (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [];
  if (matchClass !== null) facts.push(['Match', wordsOf(matchClass).name]);
  if (volumeMm3 !== null) facts.push(['Volume', volumeText(volumeMm3)]);
  if (bboxSizeMm !== null) facts.push(['Size', boxText(bboxSizeMm)]);
  if (transform !== null) facts.push(['Placement', placementText(transform)]);
  if (maxDeviationMm !== null)
    facts.push(['Deviation', maxDeviationMm < 5e-7 ? 'none found' : `at most ${figure(maxDeviationMm)} mm`]);
  if (matchClass === 'scaled') facts.push(['Scale', `× ${figure(scale)}`]);
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
