import type { CanvasHTMLAttributes, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { KEY_TURN_RAD, type Stage } from './stage.js';
import { STANDARD_VIEWS, type ViewName } from './standard-views.js';

/** Zoom factor of one key press. */
const ZOOM = 1.2;

/** Description of the keys, for screen readers. */
const KEYS_TEXT =
  'Arrow keys turn, Shift and arrow keys move, plus and minus zoom, F fits, 0 is the view of the picture, 1 to 7 are standard views. ' +
  'Of an assembly, H hides the selected part, I shows only that one, A shows all. ' +
  'While measuring, Enter picks the point in the middle. While picking faces, Enter picks the face in the middle, ' +
  'Shift and Enter adds it or takes it away, G adds tangent faces, Escape picks none.';

/** Buttons for the standard views. */
export function ViewButtons({ onView }: { readonly onView: (view: ViewName) => void }) {
  return (
    <>
      {STANDARD_VIEWS.map(({ name, key }) => (
        <button key={name} type="button" title={`${name} (${key})`} onClick={() => onView(name)}>
          {name === 'Isometric' ? 'Iso' : name}
        </button>
      ))}
    </>
  );
}

interface StageCanvasProps extends Omit<CanvasHTMLAttributes<HTMLCanvasElement>, 'ref' | 'label'> {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly stage: Stage | undefined;
  readonly label: string;
  /** Handles a key before the stage does; true: it was for the tool. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

/** The canvas of a stage with its keys. Other attributes and children are passed on. */
export function StageCanvas({ canvas, stage, label, onKey, children, ...attributes }: StageCanvasProps) {
  const keys = useId();
  return (
    <>
      <div class="viewer-frame">
        <canvas
          {...attributes}
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={label}
          aria-describedby={keys}
          onKeyDown={(event) => {
            if (stage !== undefined && (onKey?.(event) === true || pressKey(stage, event))) event.preventDefault();
          }}
        />
        {children}
      </div>
      <p class="hidden" id={keys}>
        {KEYS_TEXT}
      </p>
    </>
  );
}

/** Executes the command of a key. Returns false if the key has none. */
function pressKey(stage: Stage, { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  const view = STANDARD_VIEWS.find((standard) => standard.key === key);
  if (arrow !== undefined && shiftKey) stage.pan(arrow[0], arrow[1]);
  else if (arrow !== undefined) stage.turn(arrow[0] * KEY_TURN_RAD, arrow[1] * KEY_TURN_RAD);
  else if (key === '+' || key === '=') stage.zoom(ZOOM);
  else if (key === '-') stage.zoom(1 / ZOOM);
  else if (key === 'f' || key === 'F') stage.fit();
  else if (view !== undefined) stage.look(view.name);
  else return false;
  return true;
}
