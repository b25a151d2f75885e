/** Words of several lines, parted by spaces, as alternatives of a pattern. */
export function alternatives(...lines: readonly string[]): string {
  return lines.join(' ').replaceAll(' ', '|');
}
