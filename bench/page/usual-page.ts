import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { precompress } from '../../scripts/precompress.ts';

const FOLDER = join(import.meta.dirname, '../usual-page');

/** Installs and builds the conventional page, which has its own packages. Returns the folder of the build. */
export async function buildUsualPage(): Promise<string> {
  run('npm', ['ci', '--no-audit', '--no-fund'], FOLDER);
  run('npx', ['vite', 'build', FOLDER, '--logLevel', 'error'], join(import.meta.dirname, '../..'));
  const built = join(FOLDER, 'dist');
  await precompress(built);
  return built;
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
