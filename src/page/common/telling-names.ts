interface Named {
  readonly path: string;
  readonly displayName: string;
}

/**
 * Names by path that tell files of one name apart: `gearbox/model.step` and `pump/model.step` instead of twice
 * `model.step`. Those of one name have as many of their folders as it takes; files whose name no other has are missing.
 */
export function tellingNames(files: readonly (Named | undefined)[]): ReadonlyMap<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const file of files)
    if (file !== undefined) byName.set(file.displayName, (byName.get(file.displayName) ?? new Set()).add(file.path));
  const telling = new Map<string, string>();
  for (const paths of byName.values()) {
    if (paths.size < 2) continue;
    const parts = [...paths].map((path) => path.split('/'));
    const most = Math.max(...parts.map(({ length }) => length));
    let many = 2;
    while (many < most && new Set(parts.map((each) => each.slice(-many).join('/'))).size < paths.size) many++;
    for (const each of parts) telling.set(each.join('/'), each.slice(-many).join('/'));
  }
  return telling;
}

/** Names of two files that tell them apart, as {@link tellingNames} does. */
export function namesOf([first, second]: readonly [Named, Named]): readonly [string, string] {
  const telling = tellingNames([first, second]);
  return [telling.get(first.path) ?? first.displayName, telling.get(second.path) ?? second.displayName];
}
