import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/** A file that imports another. Paths are relative to the project's root, with `/` between folders. */
export interface ModuleImport {
  from: string;
  to: string;
  /** The imported names. `*` is the whole module; an empty list means that it is imported for its effects. */
  names: string[];
}

/**
 * The imports between the project's files, including types, `export ... from` and `import()`. Excludes
 * packages, and workers started by `new URL(...)`, which are entry points.
 */
export function readModuleImports(root: string, sources: readonly string[]): ModuleImport[] {
  return globSync([...sources], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .flatMap((path) => moduleImports(path, readFileSync(join(root, path), 'utf8')));
}

/** The imports of one file. Throws if the file does not parse. */
export function moduleImports(path: string, code: string): ModuleImport[] {
  const { module, errors } = parseSync(path, code);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const namesByTarget = new Map<string, Set<string>>();
  const add = (request: string, names: readonly string[]) => {
    if (!request.startsWith('.')) return;
    const to = posix.join(posix.dirname(path), request.replace(/\?.*$/, ''));
    const known = namesByTarget.get(to) ?? new Set<string>();
    for (const name of names) known.add(name);
    namesByTarget.set(to, known);
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    add(
      moduleRequest.value,
      entries.map(({ importName: { kind, name } }) => name ?? (kind === 'Default' ? 'default' : '*')),
    );
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest) add(moduleRequest.value, [importName.name ?? '*']);
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(code.slice(moduleRequest.start + 1, moduleRequest.end - 1), ['*']);
  }
  return [...namesByTarget].map(([to, names]) => ({ from: path, to, names: [...names] }));
}
