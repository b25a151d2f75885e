// A page of bench/drawings as SVG: its text as text elements, as drawing programs export it.
import { PRINTED } from './lettering.mjs';

/** Names of fonts as programs write them. */
const FAMILIES = { sans: 'Arial', 'sans-bold': 'Arial', 'sans-italic': 'Arial' };
/** Height of capitals of the fonts of programs, as a share of their size. */
const CAPITAL = 0.72;

/** The page as an SVG file, in mm. */
export function svgOf({ widthMm, heightMm, items, style }) {
  const at = ([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`;
  const path = (points) => `M${points.map(at).join('L')}`;
  const font = style.printed === undefined ? 'ISOCPEUR, sans-serif' : FAMILIES[style.printed];
  const more =
    (style.printed === 'sans-bold' ? ' font-weight="bold"' : '') +
    (style.printed === 'sans-italic' ? ' font-style="italic"' : '');
  const capital = style.printed === undefined ? CAPITAL : PRINTED[style.printed].capital;
  const drawn = items.map((item) => {
    if (item.points !== undefined) return `<path d="${path(item.points)}" stroke-width="${item.width}"/>`;
    if (item.fill !== undefined) return `<path d="${path(item.fill)}Z" fill="#000" stroke="none"/>`;
    if (item.circle !== undefined) {
      const [x, y, r] = item.circle;
      return `<circle cx="${x.toFixed(3)}" cy="${y.toFixed(3)}" r="${r.toFixed(3)}" stroke-width="${item.width}"/>`;
    }
    return textOf(item, style, capital);
  });
  const size = `width="${widthMm}mm" height="${heightMm}mm" viewBox="0 0 ${widthMm} ${heightMm}"`;
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`,
    `<g fill="none" stroke="#000" stroke-linecap="round" font-family="${font}"${more}>`,
    ...drawn,
    '</g></svg>',
  ].join('\n');
  return new TextEncoder().encode(text);
}

function textOf({ text, x, y, height, angle, shear = 0 }, { stretch, slant, letterSign }, capital) {
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const lean = shear - slant;
  const matrix = [stretch * cos, stretch * sin, lean * cos - sin, lean * sin + cos, x, y].map((v) => v.toFixed(5));
  const said = (letterSign ? text.replaceAll('⌀', 'Ø') : text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const size = (height / capital).toFixed(3);
  const look = `font-size="${size}" fill="#000" stroke="none" xml:space="preserve"`;
  return `<text transform="matrix(${matrix.join(' ')})" ${look}>${said}</text>`;
}
