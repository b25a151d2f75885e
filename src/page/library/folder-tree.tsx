import { useState } from 'preact/hooks';
import { listFolders } from '../api/library-endpoints.js';
import { count } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';
import './folder-tree.css';

interface FolderTreeProps {
  /** What the paths of the listed files begin with. */
  readonly prefix: string;
  /** The address of the library with another beginning. */
  readonly hrefOf: (prefix: string) => string;
  /** Whether only folders with files that could not be read are shown. */
  readonly failedOnly: boolean;
  /** Changes whenever the folders may have changed. */
  readonly state: unknown;
}

/** The folders of the library as a tree; each is read when its parent is opened. */
export function FolderTree(tree: FolderTreeProps) {
  const { prefix, hrefOf } = tree;
  const [isOpen, setOpen] = useState(() => innerWidth >= 1360);
  return (
    <details class="folders" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Folders</summary>
      <nav aria-label="Folders">
        <a class="folder-all" href={hrefOf('')} aria-current={prefix === '' ? 'page' : undefined}>
          All folders
        </a>
        {isOpen && <Folders within="" {...tree} />}
      </nav>
    </details>
  );
}

function Folders({ within, ...tree }: FolderTreeProps & { readonly within: string }) {
  const { failedOnly, state } = tree;
  const { value: folders, failure } = useLoaded(
    (signal) => listFolders(within.replace(/\/$/, ''), signal),
    [within, state],
  );
  if (failure !== undefined) return <Failure of={failure} />;
  const shown = (folders ?? []).filter(({ failed }) => !failedOnly || failed > 0);
  if (shown.length === 0) return null;
  return (
    <ul>
      {shown.map(({ name, files, failed }) => (
        <Folder key={name} name={name} path={`${within}${name}/`} files={files} failed={failed} tree={tree} />
      ))}
    </ul>
  );
}

interface FolderProps {
  readonly name: string;
  readonly path: string;
  readonly files: number;
  readonly failed: number;
  readonly tree: FolderTreeProps;
}

function Folder({ name, path, files, failed, tree }: FolderProps) {
  const { prefix, hrefOf, failedOnly } = tree;
  // What is shown is open, with all that it lies in, unless it was closed.
  const isWithin = prefix.startsWith(path);
  const [chosen, setOpen] = useState<boolean | undefined>(undefined);
  const isOpen = chosen ?? isWithin;
  return (
    <li>
      <span class="folder">
        <button
          type="button"
          class={`folder-twist${isOpen ? ' folder-open' : ''}`}
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          onClick={() => setOpen(!isOpen)}
        />
        <a href={hrefOf(path)} title={path} aria-current={prefix === path ? 'page' : undefined}>
          {name}
        </a>
        {failed > 0 && (
          <span class="bad number" title={`${count(failed)} could not be read`}>
            <span class="hidden">could not be read: </span>
            {count(failed)}
          </span>
        )}
        {!failedOnly && <span class="quiet number">{count(files)}</span>}
      </span>
      {isOpen && <Folders within={path} {...tree} />}
    </li>
  );
}
