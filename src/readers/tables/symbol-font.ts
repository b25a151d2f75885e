/** What the codes 0x20 to 0x7e and 0xa0 to 0xfe of Adobe's Symbol encoding mean, as documents with that font need it; a blank where nothing. */
const LOW = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/**
 * The character that a code of the Symbol font shows: `±` for 0xb1, `°` for 0xb0. Codes are also accepted from 0xf000 on, where
 * Word puts them. '' when it shows nothing that text could hold.
 */
export function symbolOf(code: number): string {
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (low >= 0x20 && low < 0x7f) return LOW[low - 0x20];
  return low >= 0xa0 && low < 0xff ? HIGH[low - 0xa0] : '';
}
