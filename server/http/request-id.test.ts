import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addRequestIds, requestId } from './request-id.ts';

const MADE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

it.each([
  '0af7651916cd43dd8448eb211c80319c',
  'edge-1:4711.2',
  '6a1f0d52-9b1e-4c55-8d0a-426614174000',
  'a'.repeat(64),
])('accepts the valid id %s', (id) => {
  expect(requestId({ headers: { 'x-request-id': id } })).toBe(id);
});

it.each([
  ['none', undefined],
  ['a short one', 'abc'],
  ['a long one', 'a'.repeat(65)],
  ['somebody’s number', '07700900123'],
  ['a number with a letter before it', 'a-447700900123'],
  ['a number in groups', 'id:0_7700-900.123'],
  ['a line break', 'abcdefgh\nijkl'],
  ['markup', '<script>alert(1)</script>'],
  ['two', ['abcdefgh', 'ijklmnop']],
])('generates an id for %s', (_, id) => {
  expect(requestId({ headers: { 'x-request-id': id } })).toMatch(MADE);
});

it('appears in the response and in every line of the log, including errors', async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const app = Fastify({ logger: { stream }, genReqId: requestId });
  addRequestIds(app);
  app.get('/fails', (request) => {
    request.log.info('a line of its own');
    throw new Error('no');
  });
  const { headers } = await app.inject({ url: '/fails', headers: { 'x-request-id': 'from-the-edge' } });
  await app.close();
  expect(headers['x-request-id']).toBe('from-the-edge');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ reqId: 'from-the-edge' });
});
