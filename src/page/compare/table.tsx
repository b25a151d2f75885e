import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly label: string;
  readonly head: readonly ComponentChildren[];
  /** Each with its name first. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** How many columns after the name hold text; the rest hold numbers. */
  readonly texts: number;
}

/** A table that scrolls sideways where it is too wide. */
export function Table({ label, head, rows, texts }: TableProps) {
  return (
    <div class="compare-table" role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {head.map((title, i) => (
              <th key={i} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              {cells.map((cell, k) => (
                <td key={k} class={k < texts ? undefined : 'number'}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
