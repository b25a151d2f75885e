/** One placement of a part or sub-assembly in an assembly. */
export interface AssemblyComponent {
  /** Name of the part, the same in all its placements; '' when the file gives none. */
  readonly name: string;
  /** Name of this placement; null when the file gives none. */
  readonly occurrence: string | null;
  /** 16 numbers, column-major, from the component's frame to its parent's, translation in mm; null = identity. */
  readonly transform: readonly number[] | null;
  /** Numbers of its own bodies, without its children's. Placements of one geometry have the same number. */
  readonly bodies: readonly number[];
  /**
   * Number of the distinct component that is placed here: all its placements have the same number. Null for the root,
   * for components without geometry, and in assemblies that were indexed before components had numbers.
   */
  readonly component: number | null;
  /** Volume of all its bodies and its children's. Meaningless for an open surface. */
  readonly volumeMm3: number;
  readonly children: readonly AssemblyComponent[];
}

/** A distinct part or sub-assembly of an assembly, indexed once however often it is placed. */
export interface IndexedComponent {
  /** UID of the component, stable while the assembly's bytes stay. Accepted as an input of searches and pictures. */
  readonly uid: string;
  /** UID of the assembly. */
  readonly assemblyUid: string;
  /** Its number among the distinct components, in the order of the tree: {@link AssemblyComponent.component}. */
  readonly number: number;
  /** The name that most of its placements have; '' when none has one. */
  readonly name: string;
  /** Path of names from below the root to its first placement. */
  readonly place: readonly string[];
  /** Placements in the whole assembly. */
  readonly occurrences: number;
  /** True: it is a sub-assembly. */
  readonly isAssembly: boolean;
  readonly volumeMm3: number;
  /** Volume of the smallest box in any orientation. */
  readonly bboxVolumeMm3: number;
  /** Edges of that box, descending. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  readonly triangleCount: number;
}

/** A component and its assembly, by their rows in `file`. */
export interface ComponentRow {
  readonly fileId: number;
  readonly assemblyId: number;
}
