import { isAbsolute, join } from 'node:path';

/** The folder in which a command was called: npm and the installed command change the working directory. */
export function callersFolder(): string {
  return process.env.INIT_CWD ?? process.cwd();
}

/** A path that the caller typed. Keeps a slash at its end. */
export function callersPath(path: string): string {
  return isAbsolute(path) ? path : join(callersFolder(), path);
}
