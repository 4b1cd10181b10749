import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedCommand } from './installed-command.ts';

it('names the command that the guide installs in production, and npm elsewhere', () => {
  const production = { NODE_ENV: 'production' };
  expect(installedCommand('feed', 'show SUNW', production)).toBe('skylark feed show SUNW');
  expect(installedCommand('doctor', '', production)).toBe('skylark doctor');
  expect(installedCommand('feed', 'show SUNW', {})).toBe('npm run feed -- show SUNW');
  expect(installedCommand('doctor', '', {})).toBe('npm run doctor');
});

it.each(['prices:rebuild', 'price:accuracy', 'price:record', 'sample:clear'])(
  'names the file of %s in production',
  (name) => {
    const [, command] = installedCommand(name, '', { NODE_ENV: 'production' }).split(' ');
    expect(existsSync(join(import.meta.dirname, '../cli', `${command}.ts`))).toBe(true);
  },
);
