import { lengthText } from '../common/figures.js';
import type { SectionPlane } from './section.js';
import type { Stage } from './stage.js';
import { ViewButtons } from './stage-parts.js';

/** What is shown of a model besides its surfaces, and the active measuring tool. */
export interface Tools {
  readonly showsLines: boolean;
  readonly section: SectionPlane | undefined;
  readonly measuring: 'nothing' | 'box' | 'distance' | 'edge' | 'wall';
  /** What a click selects, and a drag in the case of `box`. */
  readonly picking: 'parts' | 'faces' | 'box';
}

/** Whether a click measures something instead of selecting it. */
export function takesClicks(measuring: Tools['measuring']): boolean {
  return measuring === 'distance' || measuring === 'edge' || measuring === 'wall';
}

interface ViewerToolsProps {
  readonly stage: Stage | undefined;
  readonly tools: Tools;
  /** Whether the model tells its faces. */
  readonly hasFaces: boolean;
  readonly onChange: (changes: Partial<Tools>) => void;
}

/** The first section plane: through the middle, facing the front. */
const FIRST_SECTION: SectionPlane = { axis: 'y', position: 0.5, isFlipped: true };

/** Toolbar: standard views, fit, edges, section and measuring. */
export function ViewerTools({ stage, tools, hasFaces, onChange }: ViewerToolsProps) {
  const { showsLines, section, measuring, picking } = tools;
  const toggle = (what: Tools['measuring']) => () => onChange({ measuring: measuring === what ? 'nothing' : what });
  const pick = (what: Tools['picking']) => () =>
    onChange({ picking: picking === what ? 'parts' : what, ...(takesClicks(measuring) && { measuring: 'nothing' }) });
  return (
    <div class="viewer-tools">
      <div class="viewer-group" role="group" aria-label="Standard views">
        <ViewButtons onView={(view) => stage?.look(view)} />
      </div>
      <div class="viewer-group" role="group" aria-label="Show">
        <button type="button" title="Show the whole model (F)" onClick={() => stage?.fit()}>
          Fit
        </button>
        <button type="button" aria-pressed={showsLines} onClick={() => onChange({ showsLines: !showsLines })}>
          Edges
        </button>
        <button
          type="button"
          aria-pressed={section !== undefined}
          onClick={() => onChange({ section: section === undefined ? FIRST_SECTION : undefined })}
        >
          Section
        </button>
      </div>
      <div class="viewer-group" role="group" aria-label="Measure">
        <button type="button" aria-pressed={measuring === 'box'} onClick={toggle('box')}>
          Box
        </button>
        <button type="button" aria-pressed={measuring === 'distance'} onClick={toggle('distance')}>
          Distance
        </button>
        <button
          type="button"
          title="A click measures an edge: its length, diameter and angle"
          aria-pressed={measuring === 'edge'}
          onClick={toggle('edge')}
        >
          Edge
        </button>
        <button
          type="button"
          title="A click measures the material below a point, square to the surface"
          aria-pressed={measuring === 'wall'}
          onClick={toggle('wall')}
        >
          Wall
        </button>
      </div>
      {hasFaces && (
        <div class="viewer-group" role="group" aria-label="Pick">
          <button
            type="button"
            title="A click picks a face, with Shift one more; a double click also its tangent faces"
            aria-pressed={picking === 'faces' && !takesClicks(measuring)}
            onClick={pick('faces')}
          >
            Faces
          </button>
          <button
            type="button"
            title="A drag picks the faces in a box"
            aria-pressed={picking === 'box' && !takesClicks(measuring)}
            onClick={pick('box')}
          >
            Faces in a box
          </button>
        </div>
      )}
    </div>
  );
}

interface SectionToolsProps {
  readonly section: SectionPlane;
  readonly positionMm: number;
  readonly onSection: (section: SectionPlane) => void;
}

/** Axis, position and side of the cut. */
export function SectionTools({ section, positionMm, onSection }: SectionToolsProps) {
  return (
    <div class="viewer-section" role="group" aria-label="Section plane">
      {(['x', 'y', 'z'] as const).map((axis) => (
        <button
          key={axis}
          type="button"
          aria-pressed={section.axis === axis}
          aria-label={`Cut across ${axis.toUpperCase()}`}
          onClick={() => onSection({ ...section, axis })}
        >
          {axis.toUpperCase()}
        </button>
      ))}
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
      <button
        type="button"
        aria-pressed={!section.isFlipped}
        onClick={() => onSection({ ...section, isFlipped: !section.isFlipped })}
      >
        Other side
      </button>
    </div>
  );
}
