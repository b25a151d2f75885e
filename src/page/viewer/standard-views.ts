/** The axis of a model that points up. */
export type Up = 'y' | 'z';

/**
 * The standard views of technical drawings. key: the key that selects the view; side: direction from the model to the
 * camera for z up.
 */
export const STANDARD_VIEWS = [
  { name: 'Isometric', key: '0', side: [1, -1, 1] },
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

/** Direction from the model's centre to the camera, in the model's frame; not normalised. */
export function sideOf(view: ViewName, up: Up): readonly [number, number, number] {
  const [x, y, z] = STANDARD_VIEWS.find(({ name }) => name === view)?.side ?? STANDARD_VIEWS[0].side;
  return up === 'z' ? [x, y, z] : [x, z, -y];
}
