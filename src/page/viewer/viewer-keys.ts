import { STANDARD_VIEWS } from './standard-views.js';
import { KEY_TURN_RAD, type Stage } from './stage.js';

const ZOOM = 1.2;

/** Description of the keys, for screen readers. */
export const KEYS_TEXT =
  'Arrow keys turn, Shift and arrow keys move, plus and minus zoom, F fits, 0 to 6 are the standard views. ' +
  'While measuring, Enter picks the point in the middle.';

/** Executes the command of a key. Returns false if the key has none. */
export function pressKey(stage: Stage, { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
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
