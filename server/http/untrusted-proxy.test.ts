import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { warnOfUntrustedProxy } from './untrusted-proxy.ts';

async function warningsWith(trustedProxies: readonly string[]): Promise<string[]> {
  const warnings: string[] = [];
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void warnings.push(line) } },
  });
  warnOfUntrustedProxy(app, trustedProxies);
  app.get('/', async () => 'there');
  for (const name of ['accept', 'x-forwarded-for', 'forwarded']) {
    await app.inject({ url: '/', headers: { [name]: '192.0.2.1' } });
  }
  await app.close();
  return warnings;
}

it('warns once of a proxy that TRUST_PROXY does not name', async () => {
  expect(await warningsWith([])).toEqual([expect.stringContaining('Set TRUST_PROXY to its address')]);
  expect(await warningsWith(['loopback'])).toEqual([]);
});
