/**
 * Bombs that take seconds of a processor or hundreds of megabytes before they end, some already to make: runs of fewer
 * than 1,000 mutants leave them out.
 */
const DEAR = [
  /^pdf-(saves|glyphs|forms|groups|patterns|3-million|shading|text-of|pattern-(huge-box|step-1e-9|2000)|2000|zeros)/,
  /^pdf-(content|inline|indirect-sizes-(of-zeros|jpeg)|flate|lzw|runs|20000|one-page|annotations|font-(cmap|of|widths))/,
  /^(jpeg-(30|xmp|5|200|huffman)|tiff-(16|2|10|1-strip|float)|png-(palette|zeros-9000|1000|of|xmp)|avif-of|gif|webp)/,
  /^(obj-(circle|face|500)|step-300000|vrml-extrusion|3mf-(blanks|300000)|zip-|gzip|deflate|docx|xlsx|pptx|mail|html)/,
  /^svg-(path|groups-60|20000|400000|text-of|polygon|transforms)|^dxf-(.*spline|text|300|hatch|arrays|polyline-of|empty|blocks)/,
  /^(csv|txt|md|rtf|dwg)/,
];

/** Whether only full runs put this bomb. */
export function isDear(name) {
  return DEAR.some((pattern) => pattern.test(name));
}
