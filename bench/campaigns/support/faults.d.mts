/** Compiles the library of faults into a folder; `missing`: why it cannot be had. */
export function compileFaults(folder: string): { readonly file?: string; readonly missing?: string };

/** What a process needs in its environment so that calls on files below `root` can fail. */
export function faultEnvironment(
  library: string,
  places: { readonly root: string; readonly state: string },
): Record<string, string>;
