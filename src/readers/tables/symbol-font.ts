/**
 * Unicode characters of the codes 0x20 to 0x7e and 0xa0 to 0xfe in Adobe's Symbol encoding; a blank where a code has
 * none.
 */
const LOW = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/**
 * The character of a code of the Symbol font: `±` for 0xb1, `°` for 0xb0. Codes from 0xf000 on, which Word uses, are
 * accepted too. Returns '' when the code has no character.
 */
export function symbolOf(code: number): string {
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (low >= 0x20 && low < 0x7f) return LOW[low - 0x20];
  return low >= 0xa0 && low < 0xff ? HIGH[low - 0xa0] : '';
}
