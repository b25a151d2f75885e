import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readAssembly, type WireComponent } from '../api/endpoints.js';
import { count, volumeText } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';
import { VirtualRows } from '../common/virtual-rows.js';
import { componentPictures, hiddenOf, pictureKey, selection } from '../viewer/selection.js';
import './assembly-tree.css';

/** A sub-assembly with more children starts collapsed. */
const OPEN_AT_FIRST = 40;
/** Height of a row, px; assembly-tree.css uses the same value. */
const ROW_HEIGHT = 44;

/**
 * The product structure of a model as a tree. Tree and viewer share the selection. Renders nothing for a single part.
 */
export function AssemblyTree({ uid }: { readonly uid: string }) {
  const { value: root, failure } = useLoaded((signal) => readAssembly(uid, signal), [uid]);
  return root ? <Tree key={uid} uid={uid} root={root} /> : <Failure of={failure} />;
}

function Tree({ uid, root }: { readonly uid: string; readonly root: WireComponent }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => openAtFirst(root));
  const [active, setActive] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  /** Path of the row that should have the focus. */
  const wanted = useRef<string | undefined>(undefined);
  const [drawn, setDrawn] = useState({ first: 0, last: 0 });
  const chosen = selection.value?.uid === uid ? selection.value.path : undefined;
  const rows = useMemo(() => treeRows(root, open), [root, open]);
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === active),
  );
  const onRows = useCallback((first: number, last: number) => setDrawn({ first, last }), []);
  // The Tab key must reach a row that is rendered.
  const tabStop = Math.max(drawn.first, Math.min(drawn.last, at));

  // A component that was selected in the viewer is expanded to and scrolled into view.
  useEffect(() => {
    if (chosen === undefined) return;
    setActive(chosen);
    setOpen((before) => {
      const opened = new Set(before);
      for (let above = pathAbove(chosen); above !== undefined; above = pathAbove(above)) opened.add(above);
      return opened.size === before.size ? before : opened;
    });
    setSought({ path: chosen, focused: false });
  }, [chosen]);

  // Rows outside the view are not rendered: scroll to the place of the row first, focus the row once it is rendered.
  const [sought, setSought] = useState<{ readonly path: string; readonly focused: boolean } | undefined>(undefined);
  useEffect(() => {
    if (sought === undefined) return;
    const row = rows.findIndex(({ path }) => path === sought.path);
    if (row < 0 || anchor.current === null) return;
    anchor.current.style.top = `${row * ROW_HEIGHT}px`;
    anchor.current.scrollIntoView({ block: 'nearest' });
    setSought(undefined);
    // A later key press may have moved the focus to another row meanwhile.
    if (sought.focused)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (wanted.current === sought.path) focusRow(sought.path);
        }),
      );
  }, [sought, rows]);

  const focusRow = (path: string): void =>
    list.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus({ preventScroll: true });
  const focus = (path: string): void => {
    wanted.current = path;
    setActive(path);
    focusRow(path);
    setSought({ path, focused: true });
  };
  const toggle = (path: string, opens: boolean): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (opens) next.add(path);
      else next.delete(path);
      return next;
    });
  const choose = (path: string): void => {
    selection.value = path === '' || path === chosen ? undefined : { uid, path };
    setActive(path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const { key } = event;
    if (key === 'ArrowDown') focus(rows[Math.min(rows.length - 1, at + 1)].path);
    else if (key === 'ArrowUp') focus(rows[Math.max(0, at - 1)].path);
    else if (key === 'Home') focus(rows[0].path);
    else if (key === 'End') focus(rows[rows.length - 1].path);
    else if (key === 'ArrowRight' && row.component.children.length > 0 && !row.isOpen) toggle(row.path, true);
    else if (key === 'ArrowRight' && row.isOpen) focus(rows[at + 1].path);
    else if (key === 'ArrowLeft' && row.isOpen) toggle(row.path, false);
    else if (key === 'ArrowLeft' && row.path !== '') focus(pathAbove(row.path) ?? '');
    else if (key === 'Enter' || key === ' ') choose(row.path);
    else if (key === '*') openLevel(row.level);
    else if (!jumpTo(key)) return;
    event.preventDefault();
  };
  const openLevel = (level: number): void =>
    setOpen((before) => new Set([...before, ...rows.filter((row) => row.level === level).map(({ path }) => path)]));
  /** A letter key moves to the next row whose name begins with it. */
  const jumpTo = (key: string): boolean => {
    if (key.length !== 1 || key === '*') return false;
    const found = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ component, place }) =>
      componentName(component, place).toLowerCase().startsWith(key.toLowerCase()),
    );
    if (found !== undefined) focus(found.path);
    return found !== undefined;
  };
  return (
    <>
      <p class="quiet">{summaryOf(root)}</p>
      <div class="tree" ref={list} onKeyDown={onKeyDown}>
        <span class="tree-anchor" ref={anchor} aria-hidden="true" />
        <VirtualRows
          rows={rows.length}
          rowHeight={ROW_HEIGHT}
          role="tree"
          label="Components"
          onRows={onRows}
          render={(i) => (
            <Row
              uid={uid}
              row={rows[i]}
              isChosen={rows[i].path === chosen}
              isActive={i === tabStop}
              onChoose={() => choose(rows[i].path)}
              onToggle={() => toggle(rows[i].path, !rows[i].isOpen)}
            />
          )}
        />
      </div>
    </>
  );
}

interface RowProps {
  readonly uid: string;
  readonly row: TreeRow;
  readonly isChosen: boolean;
  /** True: the row that the Tab key reaches. */
  readonly isActive: boolean;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
}

function Row({ uid, row, isChosen, isActive, onChoose, onToggle }: RowProps) {
  const { path, component, level, place, siblings, isOpen } = row;
  const picture = componentPictures.value.get(pictureKey(uid, path));
  const holds = component.children.length;
  const name = componentName(component, place);
  return (
    <div
      role="treeitem"
      data-path={path}
      class={`tree-row tree-level-${Math.min(level, 8)}`}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isChosen}
      aria-expanded={holds > 0 ? isOpen : undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onChoose}
    >
      <span
        class={`tree-twist${holds > 0 ? '' : ' tree-leaf'}${isOpen ? ' tree-open' : ''}`}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      />
      <span class="tree-picture">{picture !== undefined && <img src={picture} alt="" draggable={false} />}</span>
      <span class="tree-text">
        <span class="tree-name">{name}</span>
        <span class="tree-facts">
          {component.occurrence !== null && component.occurrence !== name ? `${component.occurrence} · ` : ''}
          {hiddenOf(uid).has(path) ? 'hidden · ' : ''}
          {holds > 0 ? `${count(holds)} inside · ` : ''}
          {volumeText(component.volumeMm3)}
        </span>
      </span>
    </div>
  );
}

function openAtFirst(root: WireComponent): ReadonlySet<string> {
  const open = new Set(['']);
  root.children.forEach((child, i) => {
    if (child.children.length > 0 && root.children.length <= OPEN_AT_FIRST && child.children.length <= OPEN_AT_FIRST)
      open.add(`${i}`);
  });
  return open;
}

/** The number of placed parts, and of different parts: by shape where the components are indexed, else by body. */
function summaryOf(root: WireComponent): string {
  let placed = 0;
  const kinds = new Set<string>();
  const visit = ({ bodies, children, component }: WireComponent): void => {
    if (bodies.length > 0) {
      placed++;
      kinds.add(component === null ? bodies.join() : `#${component}`);
    }
    children.forEach(visit);
  };
  visit(root);
  return `${count(placed)} ${placed === 1 ? 'part' : 'parts'}, ${count(kinds.size)} different`;
}

/** A visible row of the tree. */
interface TreeRow {
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
function treeRows(root: WireComponent, open: ReadonlySet<string>): TreeRow[] {
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
function pathAbove(path: string): string | undefined {
  if (path === '') return undefined;
  const at = path.lastIndexOf('.');
  return at < 0 ? '' : path.slice(0, at);
}

/** The displayed name of a component: the name of its part, else of the placement, else its number. */
function componentName({ name, occurrence }: WireComponent, place: number): string {
  return name !== '' ? name : (occurrence ?? `Component ${place}`);
}
