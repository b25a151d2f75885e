import type { WireComponent } from '../api/models.js';

/** A row of the tree that is on the screen. */
export interface TreeRow {
  /** The way to it from the root by the numbers of children, as `0.2.1`; '' is the root. */
  readonly path: string;
  readonly component: WireComponent;
  /** From 1. */
  readonly level: number;
  /** Among the children of what holds it, from 1. */
  readonly place: number;
  readonly siblings: number;
  readonly isOpen: boolean;
}

/** The rows that are seen when the components of these paths are open, from top to bottom. */
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

/** The path of what holds a component; undefined for the root. */
export function pathAbove(path: string): string | undefined {
  if (path === '') return undefined;
  const at = path.lastIndexOf('.');
  return at < 0 ? '' : path.slice(0, at);
}

/** What a component is called: its part, or the placement, or its number where the file names neither. */
export function componentName({ name, occurrence }: WireComponent, place: number): string {
  return name !== '' ? name : (occurrence ?? `Component ${place}`);
}
