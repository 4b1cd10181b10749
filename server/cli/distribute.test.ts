import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('reports that the coordinator does not respond', () => {
  const key = 'a'.repeat(64);
  const command = spawnSync(process.execPath, [join(import.meta.dirname, 'distribute.ts')], {
    env: {
      PATH: process.env.PATH,
      // No server listens on port 1.
      DATABASE_URL: 'postgresql://skylark@127.0.0.1:1/skylark',
      TOKEN_KEY: key,
      ALERTS_KEY: key,
    },
    encoding: 'utf8',
  });
  expect(command.status).toBe(1);
  expect(command.stderr).toMatch(
    /^Store: .*\nThe store cannot be read: .*ECONNREFUSED.* npm run doctor\.\n$/,
  );
});
