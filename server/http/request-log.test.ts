import { Writable } from 'node:stream';
import Fastify, { LogController } from 'fastify';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { addRequestLog } from './request-log.ts';

function loggingApp() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const clock = { now: 1_000_000 };
  const app = Fastify({
    logger: { stream, base: null },
    logController: new LogController({ disableRequestLogging: true }),
  });
  addRequestLog(app, () => clock.now);
  app.get('/away', async (request, reply) => {
    request.noteRefusal(new StoreUnavailable({ cause: new Error('connect ECONNREFUSED') }));
    return reply.code(503).send({});
  });
  app.get('/full', async (request, reply) => {
    request.noteRefusal(new Error(`disk full${' and so on'.repeat(100)}`));
    return reply.code(503).send({});
  });
  app.get('/broken', async (request, reply) => {
    request.noteRefusal(new Error('The query failed', { cause: new Error('a damaged block') }));
    return reply.code(500).send({});
  });
  app.get('/there', async () => ({}));
  return { app, lines, clock };
}

describe('addRequestLog', () => {
  it('logs one line per request, without the query', async () => {
    const { app, lines } = loggingApp();
    await app.inject('/there?destination=secret');
    expect(lines).toMatchObject([{ level: 30, method: 'GET', path: '/there', status: 200 }]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('logs a short line per 503, and the stack of the error once in five seconds', async () => {
    const { app, lines, clock } = loggingApp();
    for (let nth = 0; nth < 100; nth += 1) {
      await app.inject('/away');
      clock.now += 100;
    }
    const refused = lines.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(100);
    for (const line of refused) {
      expect(line).toMatchObject({ level: 40, path: '/away', reason: 'the store cannot be reached' });
      expect(JSON.stringify(line).length).toBeLessThan(250);
    }
    const told = lines.filter(({ err }) => err !== undefined);
    expect(told).toHaveLength(2);
    expect(JSON.stringify(told[0])).toContain('ECONNREFUSED');
    expect(lines).toHaveLength(102);
  });

  it('logs the stack of a different failure once in five seconds, even while the store is unavailable', async () => {
    const { app, lines } = loggingApp();
    for (const url of ['/away', '/broken', '/broken']) await app.inject(url);
    const told = lines.filter(({ err }) => err !== undefined);
    expect(told).toMatchObject([
      { level: 40 },
      { level: 50, err: { message: expect.stringContaining('query failed') } },
    ]);
    const failed = lines.filter(({ status }) => status === 500);
    expect(failed).toMatchObject(
      Array.from({ length: 2 }, () => ({ reason: 'The query failed: a damaged block' })),
    );
  });

  it('logs no stack for other reasons for a 503', async () => {
    const { app, lines } = loggingApp();
    await app.inject('/full');
    const [told, refused] = lines;
    expect(told).toMatchObject({ level: 50, err: { type: 'Error' } });
    expect(String(refused?.reason)).toMatch(/^disk full/);
    expect(String(refused?.reason).length).toBeLessThanOrEqual(200);
  });
});
