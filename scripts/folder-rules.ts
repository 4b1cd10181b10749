import type { ModuleImport } from './module-imports.ts';

/**
 * Folders from the top floor to the bottom one. An unlisted folder belongs to its nearest listed parent.
 * Apart from that, a folder and its subfolders count as separate.
 */
export type Floors = readonly (readonly string[])[];

/** Violations of the layout, as sentences. Imports lead inside a folder or to a lower floor, so there are no cycles. */
export function folderProblems(imports: readonly ModuleImport[], floors: Floors): string[] {
  const floorOf = new Map(
    floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)),
  );
  const folderOf = (path: string): string | null => {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null;
    return folder === null || floorOf.has(folder) ? folder : folderOf(folder);
  };
  const problems = new Set<string>();
  const used = new Set<string>();
  for (const { from, to } of imports) {
    for (const path of [from, to]) {
      const folder = folderOf(path);
      if (folder !== null) used.add(folder);
      else problems.add(`${path} is in no listed folder. Add its folder to scripts/folder-floors.ts.`);
    }
    const [above, below] = [folderOf(from), folderOf(to)];
    if (above === null || below === null || above === below) continue;
    if ((floorOf.get(below) ?? 0) <= (floorOf.get(above) ?? 0))
      problems.add(`${from} imports ${to}, which is on no lower floor. Move it down, or inject it.`);
  }
  for (const folder of floorOf.keys())
    if (!used.has(folder))
      problems.add(`No import leads to or from ${folder}. Remove it from scripts/folder-floors.ts.`);
  return [...problems];
}
