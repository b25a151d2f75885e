/** The bytes of the files that the campaign lost-writes puts: from some bytes to 150 kB, by number. */
export function bytesOf(content) {
  const line = `bracket ${content} of the series\n`;
  return Buffer.from(line.repeat(content % 5 === 0 ? 5_000 : 1 + (content % 40)));
}
