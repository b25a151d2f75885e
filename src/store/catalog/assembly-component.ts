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
  /**
   * Which of the assembly's distinct components stands here: all placements of one thing have the same number. Null for the root, for
   * what has no geometry, and in assemblies that were indexed before components had numbers.
   */
  readonly component: number | null;
  /** Of all its bodies and those that it holds. Of an open surface it tells nothing. */
  readonly volumeMm3: number;
  readonly children: readonly AssemblyComponent[];
}

/** A part or sub-assembly of an assembly that was indexed by itself, however often it stands there. */
export interface IndexedComponent {
  /** Of the component itself; the same as long as the assembly's bytes are. It serves as an input of searches and pictures. */
  readonly uid: string;
  /** Of the assembly. */
  readonly assemblyUid: string;
  /** Its place among the distinct components, in the order of the tree; see {@link AssemblyComponent.component}. */
  readonly number: number;
  /** The name that most of its placements have; '' when none has one. */
  readonly name: string;
  /** Names from below the root to its first placement. */
  readonly place: readonly string[];
  /** Placements in the whole assembly. */
  readonly occurrences: number;
  /** True: it is made of several components. */
  readonly isAssembly: boolean;
  readonly volumeMm3: number;
  /** Volume of the smallest box in any orientation. */
  readonly bboxVolumeMm3: number;
  /** Edges of that box, falling. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  readonly triangleCount: number;
}

/** A component and its assembly, by their rows in `file`. */
export interface ComponentRow {
  readonly fileId: number;
  readonly assemblyId: number;
}
