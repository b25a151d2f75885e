import type { ComponentChildren } from 'preact';
import type { SectionPlane } from './section.js';
import { acrossAxis } from './section-tools.js';
import type { Stage } from './stage.js';
import { ViewButtons } from './stage-parts.js';
import type { ViewName } from './standard-views.js';

/** What is shown of a model besides its surfaces, and the active measuring tool. */
export interface Tools {
  readonly showsLines: boolean;
  readonly section: SectionPlane | undefined;
  /** With `cut`, a click on a face gives the section its direction. */
  readonly measuring: 'nothing' | 'box' | 'distance' | 'edge' | 'wall' | 'cut';
  /** What a click selects, and a drag in the case of `box`. */
  readonly picking: 'parts' | 'faces' | 'box';
}

/** Whether a click is for a tool instead of selecting something. */
export function takesClicks(measuring: Tools['measuring']): boolean {
  return measuring !== 'nothing' && measuring !== 'box';
}

interface ViewerToolsProps {
  readonly stage: Stage | undefined;
  readonly tools: Tools;
  /** Whether the model tells its faces. */
  readonly hasFaces: boolean;
  readonly onChange: (changes: Partial<Tools>) => void;
  readonly onView: (view: ViewName) => void;
  /** Tools of assemblies. */
  readonly children?: ComponentChildren;
}

/** Toolbar: standard views, fit, edges, section and measuring. */
export function ViewerTools({ stage, tools, hasFaces, onChange, onView, children }: ViewerToolsProps) {
  const { showsLines, section, measuring, picking } = tools;
  const toggle = (what: Tools['measuring']) => () => onChange({ measuring: measuring === what ? 'nothing' : what });
  const pick = (what: Tools['picking']) => () =>
    onChange({ picking: picking === what ? 'parts' : what, ...(takesClicks(measuring) && { measuring: 'nothing' }) });
  return (
    <div class="viewer-tools">
      <div class="viewer-group" role="group" aria-label="Standard views">
        <ViewButtons onView={onView} />
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
          onClick={() =>
            onChange({
              section:
                section === undefined
                  ? acrossAxis('y', { view: stage?.viewDirection.toArray() ?? [0, 1, 0] })
                  : undefined,
              ...(measuring === 'cut' && { measuring: 'nothing' }),
            })
          }
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
      {children}
    </div>
  );
}
