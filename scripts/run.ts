import { spawnSync } from 'node:child_process';
import { commandLine } from '../server/lib/command-line.ts';

// node scripts/run.ts <command>: the commands of package.json that only start other programs, in order.
const COMMANDS: Readonly<Record<string, { about: string; steps: readonly string[] }>> = {
  build: {
    about: 'builds the page into dist/web, and checks its size',
    steps: ['vite build', 'node scripts/check-page-bytes.ts'],
  },
  check: {
    about: 'checks types, lint, format, layout and documents',
    steps: [
      'tsc -b',
      'biome ci',
      'oxlint --type-aware --deny-warnings',
      'node scripts/check-folders.ts',
      'node scripts/check-documents.ts',
    ],
  },
  format: { about: 'fixes format and lint errors where it can', steps: ['biome check --write'] },
  pictures: {
    about: 'redraws the reference images in tests/e2e/pictures',
    steps: ['playwright test tests/e2e/pictures.long.spec.ts --update-snapshots=all'],
  },
  'coverage:specification': {
    about: 'writes docs/specification-coverage.md',
    steps: ['node scripts/write-specification-coverage.ts'],
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) throw new Error(`Unknown command ${name}`);
commandLine(`npm run ${name}   ${command.about}`, { args });
for (const step of command.steps) {
  const [program = '', ...words] = step.split(' ');
  const { status, error } = spawnSync(program, words, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
