/**
 * One-to-one assignment of rows to columns at least cost: shortest augmenting paths with potentials (the Hungarian
 * method). costs: rows of equal length, at least as long as there are rows, finite. Returns the column of each row.
 */
export function assign(costs: readonly (readonly number[])[]): number[] {
  const rows = costs.length,
    columns = rows === 0 ? 0 : costs[0].length;
  if (columns < rows) throw new RangeError(`costs must have at least ${rows} columns, received ${columns}`);
  const rowPotential = new Float64Array(rows + 1),
    columnPotential = new Float64Array(columns + 1);
  // Column 0 stands for none; rowOf holds row + 1, 0 for a free column.
  const rowOf = new Uint32Array(columns + 1),
    before = new Uint32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(columns + 1).fill(Infinity);
    const isDone = new Uint8Array(columns + 1);
    do {
      isDone[column] = 1;
      const current = rowOf[column];
      let step = Infinity,
        next = 0;
      for (let j = 1; j <= columns; j++) {
        if (isDone[j]) continue;
        const reduced = costs[current - 1][j - 1] - rowPotential[current] - columnPotential[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          before[j] = column;
        }
        if (least[j] < step) {
          step = least[j];
          next = j;
        }
      }
      for (let j = 0; j <= columns; j++) {
        if (isDone[j]) {
          rowPotential[rowOf[j]] += step;
          columnPotential[j] -= step;
        } else {
          least[j] -= step;
        }
      }
      column = next;
    } while (rowOf[column] !== 0);
    for (; column !== 0; column = before[column]) rowOf[column] = rowOf[before[column]];
  }
  const assigned = new Array<number>(rows);
  for (let j = 1; j <= columns; j++) if (rowOf[j] > 0) assigned[rowOf[j] - 1] = j - 1;
  return assigned;
}
