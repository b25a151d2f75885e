import type { WireComponent } from '../api/models.js';

/** A visible row of the tree. */
export interface TreeRow {
  /** Indices of children on the way from the root to this component, such as `0.2.1`; '' for the root. */
  readonly path: string;
  readonly component: WireComponent;
  /** Depth in the tree; the root has 1. */
  readonly level: number;
  /** Position among its siblings, from 1. */
  readonly place: number;
  readonly siblings: number;
  readonly isOpen: boolean;
}

/** The visible rows from top to bottom. open: paths of the expanded components. */
export function treeRows(root: WireComponent, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (component: WireComponent, path: string, level: number, place: number, siblings: number): void => {
    const isOpen = component.children.length > 0 && open.has(path);
    rows.push({ path, component, level, place, siblings, isOpen });
    if (isOpen)
      component.children.forEach((child, i) =>
        add(child, path === '' ? `${i}` : `${path}.${i}`, level + 1, i + 1, component.children.length),
      );
  };
  add(root, '', 1, 1, 1);
  return rows;
}

/** The path of a component's parent; undefined for the root. */
export function pathAbove(path: string): string | undefined {
  if (path === '') return undefined;
  const at = path.lastIndexOf('.');
  return at < 0 ? '' : path.slice(0, at);
}

/** The displayed name of a component: the name of its part, else of the placement, else its number. */
export function componentName({ name, occurrence }: WireComponent, place: number): string {
  return name !== '' ? name : (occurrence ?? `Component ${place}`);
}
