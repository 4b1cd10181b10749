import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/** A file that imports another. Paths are relative to the project's root, with `/` between folders. */
export interface ModuleImport {
  from: string;
  to: string;
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
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
  ].filter((request) => request.startsWith('.'));
  const targets = requests.map((request) => posix.join(posix.dirname(path), request.replace(/\?.*$/, '')));
  return [...new Set(targets)].map((to) => ({ from: path, to }));
}
