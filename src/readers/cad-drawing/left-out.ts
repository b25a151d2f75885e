import type { Entity } from '@node-projects/acad-ts';
import type { Limits } from '../../options.js';

/** Layers that are named in one message. */
const MOST_NAMED_LAYERS = 8;
/** Kinds that draw nothing, or only infinite lines; leaving them out is not told. */
const LINELESS = new Set(['Point', 'Ray', 'XLine', 'Wipeout', 'Seqend', 'Viewport', 'Shape', 'Vertex2D', 'Vertex3D']);

/** Counts what the pages of a CAD drawing do not show, and says it. */
export class LeftOut {
  /** Blocks that were not entered. */
  tooDeep = 0;
  /** Entities whose fields the reader lacks. */
  broken = 0;
  viewports = 0;
  /** Lines and texts that lie so far outside that the page does not show them. */
  strays = 0;
  /** Dimensions, annotations and texts with figures that are marked as invisible. */
  #invisible = 0;
  /** By layer that is not shown: how many dimensions, annotations and texts with figures it holds. */
  readonly #hidden = new Map<string, number>();
  /** Those of the current layout that are counted already: a block counts once, however often it is inserted. */
  readonly #counted = new Set<Entity>();
  readonly #unsupported = new Map<string, number>();

  /** From here on entities of another layout come. */
  nextLayout(): void {
    this.#counted.clear();
  }

  /** A dimension, annotation or text with figures on a layer that is not shown; null: it is marked as invisible. */
  missed(entity: Entity, layer: string | null): void {
    if (this.#counted.has(entity)) return;
    this.#counted.add(entity);
    if (layer === null) this.#invisible++;
    else this.#hidden.set(layer, (this.#hidden.get(layer) ?? 0) + 1);
  }

  /** An entity that nothing here draws. */
  unsupported({ constructor: { name } }: Entity): void {
    if (!LINELESS.has(name)) this.#unsupported.set(name, (this.#unsupported.get(name) ?? 0) + 1);
  }

  /** A message for each way in which something was left out. */
  messages(limits: Limits): string[] {
    const said: string[] = [];
    if (this.tooDeep > 0)
      said.push(`${this.tooDeep} blocks are nested deeper than limits.depth, ${limits.depth}, or contain themselves`);
    if (this.broken > 0) said.push(`${this.broken} entities could not be read`);
    if (this.viewports > 0)
      said.push(
        `${this.viewports} viewports were left out: with them the drawing passes limits.entities, ${limits.entities}`,
      );
    if (this.#hidden.size > 0) said.push(this.#hiddenLayers());
    if (this.#invisible > 0)
      said.push(
        `${this.#invisible} dimensions, annotations and texts with figures that are marked as invisible are no part ` +
          'of the PMI',
      );
    if (this.strays > 0) said.push(`${this.strays} lines and texts far outside the drawing are no part of its page`);
    if (this.#unsupported.size > 0) {
      const kinds = [...this.#unsupported].map(([kind, count]) => `${kind} (${count})`);
      said.push(`entities of unsupported kinds: ${kinds.join(', ')}`);
    }
    return said;
  }

  #hiddenLayers(): string {
    const layers = [...this.#hidden].sort(([, a], [, b]) => b - a);
    const named = layers.slice(0, MOST_NAMED_LAYERS).map(([name, count]) => `${name} (${count})`);
    const more = layers.length - named.length;
    const all = layers.reduce((sum, [, count]) => sum + count, 0);
    return (
      `${all} dimensions, annotations and texts with figures on layers ` +
      `that are off, frozen or not plotted are no part of the PMI: ${named.join(', ')}` +
      (more > 0 ? ` and ${more} further layers` : '')
    );
  }
}
