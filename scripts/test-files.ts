import { globSync, readFileSync } from 'node:fs';

/** Returns the patterns. Throws if one matches no file, so that a rename never leaves tests out in silence. */
export function matched(...patterns: string[]): string[] {
  for (const pattern of patterns) {
    if (globSync(pattern, { exclude: isInstalled }).length === 0)
      throw new Error(`No test file matches "${pattern}": correct the pattern in the tests' configuration.`);
  }
  return patterns;
}

/** The files of these patterns that import a module with this name. Throws if there are none. */
export function importersOf(module: string, ...patterns: string[]): string[] {
  const files = globSync(matched(...patterns)).map((path) => path.replaceAll('\\', '/'));
  const importers = files.filter((path) => readFileSync(path, 'utf8').includes(`/${module}'`));
  if (importers.length === 0) throw new Error(`No test file imports ${module}.`);
  return importers;
}

function isInstalled(name: string): boolean {
  return name === 'node_modules';
}
