import type { ModuleImport } from './module-imports.ts';

/**
 * Folders from the top floor to the bottom one. An unlisted folder belongs to its nearest listed parent.
 * Apart from that, a folder and its subfolders count as separate.
 */
export type Floors = readonly (readonly string[])[];

export type FolderProblem =
  /** An import from a folder to one on a higher floor. */
  | { kind: 'upward'; import: ModuleImport }
  /** Folders on one floor that import each other in a cycle, with one import per step. */
  | { kind: 'cycle'; folders: string[]; imports: ModuleImport[] }
  | { kind: 'unlisted'; path: string }
  | { kind: 'unused'; folder: string };

/**
 * Violations of the layout. Folders on one floor may import each other, but not in a cycle. A cycle over
 * several floors is reported as its upward import.
 */
export function folderProblems(imports: readonly ModuleImport[], floors: Floors): FolderProblem[] {
  const floorOf = new Map(
    floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)),
  );
  const paths = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].toSorted();
  const folderOf = new Map(paths.map((path) => [path, listedFolder(path, floorOf)]));
  const used = new Set(folderOf.values());

  const upward: ModuleImport[] = [];
  const sideways: FolderGraph = new Map();
  for (const found of imports) {
    const from = folderOf.get(found.from) ?? null;
    const to = folderOf.get(found.to) ?? null;
    if (from === null || to === null || from === to) continue;
    const down = (floorOf.get(to) ?? 0) - (floorOf.get(from) ?? 0);
    if (down < 0) upward.push(found);
    if (down !== 0) continue;
    const targets = sideways.get(from) ?? new Map<string, ModuleImport>();
    if (!targets.has(to)) targets.set(to, found);
    sideways.set(from, targets);
  }
  return [
    ...paths
      .filter((path) => folderOf.get(path) === null)
      .map((path): FolderProblem => ({ kind: 'unlisted', path })),
    ...[...floorOf.keys()]
      .filter((folder) => !used.has(folder))
      .map((folder): FolderProblem => ({ kind: 'unused', folder })),
    ...upward.map((found): FolderProblem => ({ kind: 'upward', import: found })),
    ...folderCycles(sideways),
  ];
}

/** For each folder, the folders that it imports, with the first such import. */
type FolderGraph = Map<string, Map<string, ModuleImport>>;

function listedFolder(path: string, floorOf: ReadonlyMap<string, number>): string | null {
  let folder = path;
  while (folder.includes('/')) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    if (floorOf.has(folder)) return folder;
  }
  return null;
}

/** The shortest cycle through each folder, if there is one. Each cycle is reported once. */
function folderCycles(graph: FolderGraph): FolderProblem[] {
  const cycles = new Map<string, FolderProblem>();
  for (const start of [...graph.keys()].toSorted()) {
    const folders = shortestCycle(graph, start);
    if (folders === null) continue;
    const imports = folders.flatMap((folder, at) => {
      const step = graph.get(folder)?.get(folders[at + 1] ?? start);
      return step === undefined ? [] : [step];
    });
    const key = folders.toSorted().join('\n');
    if (!cycles.has(key)) cycles.set(key, { kind: 'cycle', folders, imports });
  }
  return [...cycles.values()];
}

/** A breadth-first search, so that the first path back to the start is the shortest. */
function shortestCycle(graph: FolderGraph, start: string): string[] | null {
  const queue = [[start]];
  const reached = new Set<string>();
  for (const path of queue) {
    for (const next of graph.get(path.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return path;
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push([...path, next]);
    }
  }
  return null;
}

export function describeFolderProblem(problem: FolderProblem): string {
  switch (problem.kind) {
    case 'upward':
      return `Upward import: ${describeImport(problem.import)}. Move the import's target down, or inject it.`;
    case 'cycle':
      return [
        `Folders import each other in a cycle: ${problem.folders.join(' -> ')} -> ${problem.folders[0]}`,
        ...problem.imports.map((step) => `  ${describeImport(step)}`),
      ].join('\n');
    case 'unlisted':
      return `${problem.path} is in no listed folder. Add its folder to scripts/folder-floors.ts.`;
    case 'unused':
      return `No import leads to or from ${problem.folder}. Remove it from scripts/folder-floors.ts.`;
  }
}

function describeImport({ from, to, names }: ModuleImport): string {
  return names.length === 0 ? `${from} imports ${to}` : `${from} imports ${names.join(', ')} from ${to}`;
}
