/**
 * Faster passing of small whole numbers between the CAD kernel and JavaScript. The kernel takes a file byte by byte, and every byte costs five calls
 * of the glue code beside it: a handle for its place, one for its value, both given up again. Those calls took 12 % of the time of reading.
 * Here a small whole number is its own handle, so that nothing has to be looked up; all else stays with the glue code.
 */

type GlueFunction = (...values: number[]) => unknown;

/** Handles from here on are numbers: the glue code's own count up from 10 and never come so far. */
const FIRST_NUMBER = 0x4000_0000;
const MOST_NUMBER = 0x2000_0000;

/** By their names in the glue code; what the kernel calls them is shortened. */
const NAMES = [
  '__embind_register_integer',
  '__embind_register_float',
  '__emval_take_value',
  '__emval_get_property',
  '__emval_set_property',
  '__emval_as',
  '__emval_decref',
  '__emval_incref',
] as const;
type Name = (typeof NAMES)[number];

/**
 * Puts faster functions in the place of the glue code's among what a kernel imports, before it is instantiated; leaves all as it is where the glue
 * code has other functions than those that are known.
 * @returns to be told what the kernel exports before it starts.
 */
export function passNumbersFast(imports: WebAssembly.Imports): (exports: WebAssembly.Exports) => void {
  const found = findGlue(imports);
  if (found === undefined) return () => undefined;
  const { glue, replace } = found;
  const integers = new Set<number>();
  const numbers = new Set<number>();
  let double = 0;
  let memory: WebAssembly.Memory | undefined;
  let heap = new Int32Array();
  /** The object that was asked last, as long as the kernel holds it. */
  let lastHandle = 0;
  let lastObject: Record<number, unknown> = {};

  // Asked for as a number, an object comes as it is: numbers need no conversion.
  const valueOf = (handle: number): unknown =>
    handle >= FIRST_NUMBER ? handle - FIRST_NUMBER : glue.__emval_as(handle, double, 0);
  const objectOf = (handle: number): Record<number, unknown> => {
    if (handle === lastHandle) return lastObject;
    lastObject = valueOf(handle) as Record<number, unknown>;
    lastHandle = handle;
    return lastObject;
  };

  replace('__embind_register_integer', (type, name, size, least, most) => {
    numbers.add(type);
    // Without the memory nothing can be read here.
    if (size === 4 && memory !== undefined) integers.add(type);
    return glue.__embind_register_integer(type, name, size, least, most);
  });
  replace('__embind_register_float', (type, name, size) => {
    numbers.add(type);
    if (size === 8) double = type;
    return glue.__embind_register_float(type, name, size);
  });
  replace('__emval_take_value', (type, at) => {
    if (double === 0 || !integers.has(type)) return glue.__emval_take_value(type, at);
    if (heap.length === 0) heap = new Int32Array(memory!.buffer); // The memory grew.
    const value = heap[at >> 2];
    return value >= 0 && value < MOST_NUMBER ? FIRST_NUMBER + value : glue.__emval_take_value(type, at);
  });
  replace('__emval_get_property', (handle, key) => {
    if (key < FIRST_NUMBER) return glue.__emval_get_property(handle, key);
    const object = objectOf(handle);
    // The kernel reads nothing else by number.
    if (!(object instanceof Uint8Array))
      throw new TypeError('the CAD kernel read an item of something that is no file');
    return FIRST_NUMBER + object[key - FIRST_NUMBER];
  });
  replace('__emval_set_property', (handle, key, value) => {
    if (key < FIRST_NUMBER && value < FIRST_NUMBER) return glue.__emval_set_property(handle, key, value);
    if (key >= FIRST_NUMBER) objectOf(handle)[key - FIRST_NUMBER] = valueOf(value);
    else (valueOf(handle) as Record<string, unknown>)[valueOf(key) as string] = valueOf(value);
    return undefined;
  });
  replace('__emval_as', (handle, type, destructors) => {
    if (handle < FIRST_NUMBER) return glue.__emval_as(handle, type, destructors);
    if (!numbers.has(type)) throw new TypeError('the CAD kernel took a number for something else');
    return handle - FIRST_NUMBER;
  });
  replace('__emval_decref', (handle) => {
    if (handle >= FIRST_NUMBER) return undefined;
    if (handle === lastHandle) lastHandle = 0;
    return glue.__emval_decref(handle);
  });
  replace('__emval_incref', (handle) => (handle >= FIRST_NUMBER ? undefined : glue.__emval_incref(handle)));

  return (exports) => {
    memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  };
}

function findGlue(
  imports: WebAssembly.Imports,
): { glue: Record<Name, GlueFunction>; replace: (name: Name, by: GlueFunction) => void } | undefined {
  const glue: Partial<Record<Name, GlueFunction>> = {};
  const places: Partial<Record<Name, { module: WebAssembly.ModuleImports; key: string }>> = {};
  for (const module of Object.values(imports)) {
    for (const [key, value] of Object.entries(module)) {
      const name = NAMES.find((one) => typeof value === 'function' && value.name === one);
      if (name === undefined) continue;
      glue[name] = value as GlueFunction;
      places[name] = { module, key };
    }
  }
  if (NAMES.some((name) => glue[name] === undefined)) return undefined;
  return {
    glue: glue as Record<Name, GlueFunction>,
    replace: (name, by) => {
      const { module, key } = places[name]!;
      module[key] = by as () => unknown;
    },
  };
}
