import type { CadDocument, Color, Entity, Layer, LineType } from '@node-projects/acad-ts';
import type { StrokeStyle } from '../../content/sheet.js';

/** How an entity is drawn, after inheriting from its layer and from the block insertion. */
export interface Pen {
  readonly layer: LayerLook;
  /** 0xRRGGBB. */
  readonly color: number;
  readonly widthMm: number;
  /** Dashes and gaps in turn, drawing units. */
  readonly dash: readonly number[];
}

/** The properties that entities inherit from a layer. */
export interface LayerLook extends Omit<Pen, 'layer'> {
  readonly name: string;
  /** Frozen: nothing on it is drawn. */
  readonly isFrozen: boolean;
  /** Switched on. */
  readonly isOn: boolean;
  /** False for layers shown on the screen only: construction lines, viewport frames. */
  readonly isPlotted: boolean;
}

/** Line width when the drawing states none, mm. */
const USUAL_WIDTH_MM = 0.25;
const FROZEN = 1;
/** Colour index of the foreground: black on white, white on black. */
const FOREGROUND = 7;

/** Resolves the pens of entities ("ByLayer", "ByBlock"). Widths are in millimetres, dashes in drawing units. */
export class Pens {
  readonly #layers = new Map<Layer, LayerLook>();
  readonly #dashes = new Map<LineType, readonly number[]>();
  readonly #scale: number;

  constructor(document: CadDocument) {
    const scale = document.header?.lineTypeScale ?? 1;
    this.#scale = Number.isFinite(scale) && scale > 0 ? scale : 1;
  }

  /**
   * The pen of an entity.
   * @param block pen of the insertion that places the entity; null outside of blocks.
   */
  penOf(entity: Entity, block: Pen | null): Pen {
    const own = this.#lookOf(entity.layer);
    // Entities on layer 0 of a block take the layer of the insertion.
    const layer = block !== null && own.name === '0' ? block.layer : own;
    const { color, lineWeight, lineType } = entity;
    const kind = (lineType?.name ?? 'BYLAYER').toUpperCase();
    return {
      layer,
      color:
        color === undefined || color.isByLayer ? layer.color : color.isByBlock ? (block?.color ?? 0) : rgbOf(color),
      widthMm:
        lineWeight === -1 || lineWeight === undefined
          ? layer.widthMm
          : lineWeight === -2
            ? (block?.widthMm ?? USUAL_WIDTH_MM)
            : widthOf(lineWeight),
      dash:
        kind === 'BYLAYER'
          ? scaled(layer.dash, entity.lineTypeScale)
          : kind === 'BYBLOCK'
            ? (block?.dash ?? [])
            : scaled(this.#dashOf(lineType), entity.lineTypeScale),
    };
  }

  #lookOf(layer: Layer | null | undefined): LayerLook {
    if (layer == null)
      return { name: '0', color: 0, widthMm: USUAL_WIDTH_MM, dash: [], isFrozen: false, isOn: true, isPlotted: true };
    let look = this.#layers.get(layer);
    if (look === undefined) {
      const name = layer.name ?? '0';
      look = {
        name,
        color: rgbOf(layer.color),
        widthMm: widthOf(layer.lineWeight),
        dash: this.#dashOf(layer.lineType),
        isFrozen: (layer.layerFlags & FROZEN) !== 0,
        isOn: layer.isOn !== false,
        isPlotted: layer.plotFlag !== false && name.toLowerCase() !== 'defpoints',
      };
      this.#layers.set(layer, look);
    }
    return look;
  }

  #dashOf(lineType: LineType | null | undefined): readonly number[] {
    if (lineType == null) return [];
    let dash = this.#dashes.get(lineType);
    if (dash === undefined) {
      dash = dashOf(lineType.segments.map(({ length }) => length * this.#scale));
      this.#dashes.set(lineType, dash);
    }
    return dash;
  }
}

/**
 * The stroke style of a pen on a sheet.
 * @param unitMm millimetres per sheet unit.
 * @param dashScale factor from drawing units to sheet units for dashes.
 */
export function styleOf({ layer, color, widthMm, dash }: Pen, unitMm: number, dashScale: number): StrokeStyle {
  return {
    layer: layer.name,
    width: widthMm / unitMm,
    dash: dash.length === 0 ? dash : scaled(dash, dashScale),
    color,
    isFill: false,
  };
}

/** Dashes (0 for a dot) and gaps in turn, from a line type's lengths: positive for dashes, negative for gaps. */
function dashOf(lengths: readonly number[]): readonly number[] {
  const dash: number[] = [];
  for (const length of lengths) {
    if (!Number.isFinite(length)) return [];
    const isGap = length < 0;
    // Even indices are dashes, odd ones gaps; neighbours of the same kind are merged.
    if ((dash.length % 2 === 1) === isGap) dash.push(Math.abs(length));
    else if (dash.length > 0) dash[dash.length - 1] += Math.abs(length);
  }
  if (dash.length % 2 === 1) dash.push(0);
  return dash.some((length, i) => i % 2 === 1 && length > 0) ? dash : [];
}

function scaled(dash: readonly number[], scale: number): readonly number[] {
  return scale === 1 || !(scale > 0) || !Number.isFinite(scale) ? dash : dash.map((length) => length * scale);
}

/** Line weights are in hundredths of a millimetre; negative ones are special values. */
function widthOf(lineWeight: number | undefined): number {
  return lineWeight === undefined || !(lineWeight >= 0) ? USUAL_WIDTH_MM : lineWeight / 100;
}

function rgbOf(color: Color | undefined): number {
  if (color === undefined || color.index === FOREGROUND || color.isByLayer || color.isByBlock) return 0;
  const [r, g, b] = color.getRgb() ?? [0, 0, 0];
  return (r << 16) | (g << 8) | b;
}
