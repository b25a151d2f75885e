/** The axis of a model that points up. */
export type Up = 'y' | 'z';

/** From where a model is looked at: vectors in its own frame, towards the camera and along the axis that stands. */
export interface Side {
  readonly toward: readonly [number, number, number];
  readonly up: readonly [number, number, number];
}

/** How a model is looked at. */
export interface Attitude {
  /** The axis that points up in drawings of the model. */
  readonly up: Up;
  /**
   * The corners from which it can be looked at; the first is that of its picture. Empty: only standard views are known.
   */
  readonly sides: readonly Side[];
}

/**
 * The standard views of technical drawings, and the view of the model's picture. key: the key that selects the view;
 * side: direction from the model to the camera for z up.
 */
export const STANDARD_VIEWS = [
  { name: 'Picture', key: '0', side: [1, -1, 1] },
  { name: 'Isometric', key: '7', side: [1, -1, 1] },
  { name: 'Front', key: '1', side: [0, -1, 0] },
  { name: 'Back', key: '2', side: [0, 1, 0] },
  { name: 'Left', key: '3', side: [-1, 0, 0] },
  { name: 'Right', key: '4', side: [1, 0, 0] },
  { name: 'Top', key: '5', side: [0, -1e-4, 1] },
  { name: 'Bottom', key: '6', side: [0, -1e-4, -1] },
] as const satisfies readonly {
  readonly name: string;
  readonly key: string;
  readonly side: readonly [number, number, number];
}[];

export type ViewName = (typeof STANDARD_VIEWS)[number]['name'];

/** Where the camera of a view stands; `toward` is not normalised. */
export function sideOf(view: ViewName, { up, sides }: Attitude): Side {
  const [first] = sides;
  if (view === 'Picture' && first !== undefined) return first;
  const [x, y, z] = STANDARD_VIEWS.find(({ name }) => name === view)?.side ?? STANDARD_VIEWS[0].side;
  return up === 'z' ? { toward: [x, y, z], up: [0, 0, 1] } : { toward: [x, z, -y], up: [0, 1, 0] };
}
