import { nameOfCharacteristic } from './characteristics.js';
import { PMI_TYPE, type PmiTypeId } from './pmi.js';

const NAMES: Readonly<Partial<Record<PmiTypeId, string>>> = Object.freeze({
  [PMI_TYPE.arrowsInsideValueInside]: 'dimension',
  [PMI_TYPE.arrows]: 'dimension',
  [PMI_TYPE.arrowsInsideValueOutside]: 'dimension',
  [PMI_TYPE.arrowsOutsideValueOutside]: 'dimension',
  [PMI_TYPE.gapValueOutside]: 'dimension',
  [PMI_TYPE.gapValueInside]: 'dimension',
  [PMI_TYPE.ascending]: 'ordinate dimension',
  [PMI_TYPE.diameter]: 'diameter',
  [PMI_TYPE.radius]: 'radius',
  [PMI_TYPE.depth]: 'depth',
  [PMI_TYPE.counterbore]: 'counterbore',
  [PMI_TYPE.diameterSymbol]: 'diameter sign',
  [PMI_TYPE.controlFrame]: 'control frame',
  [PMI_TYPE.datum]: 'datum',
  [PMI_TYPE.firstAngle]: 'first angle projection',
  [PMI_TYPE.thirdAngle]: 'third angle projection',
  [PMI_TYPE.view]: 'view',
  [PMI_TYPE.view3d]: '3D view',
  [PMI_TYPE.finishAny]: 'surface finish',
  [PMI_TYPE.finishMachining]: 'machined surface',
  [PMI_TYPE.finishProhibited]: 'unmachined surface',
  [PMI_TYPE.textureAny]: 'surface texture',
  [PMI_TYPE.textureProhibited]: 'texture, not machined',
  [PMI_TYPE.textureRequired]: 'texture, machined',
  [PMI_TYPE.outerEdge]: 'outer edges',
  [PMI_TYPE.innerEdge]: 'inner edges',
  [PMI_TYPE.plusMinus]: 'general tolerance',
  [PMI_TYPE.leader]: 'leader note',
  [PMI_TYPE.table]: 'table',
});

/**
 * The name of a type for people: `diameter`, `control frame`, `position`. Placements of arrows and values are not
 * distinguished.
 */
export function nameOfPmiType(type: PmiTypeId): string {
  return NAMES[type] ?? nameOfCharacteristic(type) ?? String(type);
}
