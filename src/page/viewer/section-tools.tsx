import { lengthText } from '../common/figures.js';
import type { SectionPlane } from './section.js';

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

/**
 * A section plane across an axis of the model, of which the half that is farther from the viewer stays: the cut is
 * seen. view: unit vector away from the viewer.
 */
export function acrossAxis(
  axis: 'x' | 'y' | 'z',
  { view, position = 0.5 }: { readonly view: readonly number[]; readonly position?: number },
): SectionPlane {
  return {
    across: axis,
    direction: AXES[axis],
    position,
    isFlipped: view['xyz'.indexOf(axis)] > -1e-6,
  };
}

interface SectionToolsProps {
  readonly section: SectionPlane;
  readonly positionMm: number;
  readonly onSection: (section: SectionPlane) => void;
  /** Unit vector away from the viewer, in the model's frame. */
  readonly viewDirection: () => readonly [number, number, number];
  /** Whether the next click on a face sets the direction. */
  readonly picksFace: boolean;
  readonly onPickFace: () => void;
}

/** Direction, position and side of the cut. */
export function SectionTools({
  section,
  positionMm,
  onSection,
  viewDirection,
  picksFace,
  onPickFace,
}: SectionToolsProps) {
  const { across } = section;
  return (
    <div class="viewer-section" role="group" aria-label="Section plane">
      {(['x', 'y', 'z'] as const).map((axis) => (
        <button
          key={axis}
          type="button"
          aria-pressed={across === axis}
          aria-label={`Cut across ${axis.toUpperCase()}`}
          onClick={() => onSection(acrossAxis(axis, { view: viewDirection(), position: section.position }))}
        >
          {axis.toUpperCase()}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={across === 'view'}
        title="Cut square to the direction in which you look now"
        onClick={() => onSection(inwards({ across: 'view', direction: viewDirection() }))}
      >
        As seen
      </button>
      <button
        type="button"
        aria-pressed={picksFace || across === 'face'}
        title="Cut parallel to the face that is clicked next"
        onClick={onPickFace}
      >
        Along a face
      </button>
      <label class="viewer-slider">
        <span class="hidden">Position of the cut</span>
        <input
          type="range"
          min="0"
          max="1"
          step="0.005"
          value={section.position}
          aria-valuetext={lengthText(positionMm)}
          onInput={({ currentTarget }) => onSection({ ...section, position: Number(currentTarget.value) })}
        />
      </label>
      <output class="number">{lengthText(positionMm)}</output>
      <button type="button" onClick={() => onSection({ ...section, isFlipped: !section.isFlipped })}>
        Other side
      </button>
    </div>
  );
}

/** The plane through the middle, of which the half that lies farther along the direction stays. */
export function inwards({ across, direction }: Pick<SectionPlane, 'across' | 'direction'>): SectionPlane {
  return { across, direction, position: 0.5, isFlipped: true };
}
