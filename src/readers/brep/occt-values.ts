/**
 * Passes small integers between the CAD kernel and JavaScript without a table look-up. The kernel reads a file byte by
 * byte, and embind's glue code makes five calls for every byte: one handle for the index, one for the value, and their
 * releases. Those calls took 12 % of the reading time. Here a small integer is encoded in its own handle; every other
 * value stays with the glue code.
 */

type GlueFunction = (...values: number[]) => unknown;

/**
 * Handles from this value on encode an integer. The glue code's own handles count up from 10 and never get this far.
 */
const FIRST_NUMBER = 0x4000_0000;
const MOST_NUMBER = 0x2000_0000;

/** Function names in the glue code. The import keys are minified, so functions are found by these names. */
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
 * Replaces functions of the glue code among a kernel's imports, before the kernel is instantiated. Leaves the imports
 * unchanged when any of the expected functions is missing.
 * @returns a callback that must receive the kernel's exports before the kernel starts.
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
  /** The object looked up last, while the kernel holds its handle; 0 for none. */
  let lastHandle = 0;
  let lastObject: Record<number, unknown> = {};

  // `__emval_as` with type double returns the object itself: numbers need no conversion.
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
    // Integers can only be read here when the exported memory is known.
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
    // The kernel reads nothing but the file's bytes by index.
    if (!(object instanceof Uint8Array)) throw new TypeError('the CAD kernel indexed a value that is not a Uint8Array');
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
    if (!numbers.has(type)) throw new TypeError('the CAD kernel converted an integer to a type that is not a number');
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
