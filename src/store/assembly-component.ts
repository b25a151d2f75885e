/** A part or sub-assembly where it stands in an assembly. */
export interface AssemblyComponent {
  /** Of the part: equal in all its placements; '' when the file names it not. */
  readonly name: string;
  /** What the file calls this placement; null when nothing. */
  readonly occurrence: string | null;
  /** 16 numbers, column-major, from the component's frame to its parent's, translation in mm; null = identity. */
  readonly transform: readonly number[] | null;
  /** Numbers of its own bodies, without those of what it holds. Placements of one geometry have the same number. */
  readonly bodies: readonly number[];
  /** Of all its bodies and those that it holds. Of an open surface it tells nothing. */
  readonly volumeMm3: number;
  readonly children: readonly AssemblyComponent[];
}
