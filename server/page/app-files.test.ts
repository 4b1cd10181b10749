import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addAppRoutes } from './app-files.ts';

it('makes a file once, and again after a failure', async () => {
  let calls = 0;
  const content = async () => {
    calls += 1;
    if (calls === 1) throw new Error('The disk is full');
    return Buffer.from('an icon');
  };
  const app = Fastify();
  addAppRoutes(app, new Map([['/icon.png', { type: 'image/png', content }]]));
  const statuses = [];
  for (let request = 0; request < 3; request += 1) statuses.push((await app.inject('/icon.png')).statusCode);
  expect(statuses).toEqual([500, 200, 200]);
  expect(calls).toBe(2);
  await app.close();
});
