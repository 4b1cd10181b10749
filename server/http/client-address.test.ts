import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import {
  clientAddresses,
  connectingNetwork,
  tidyForwardedFor,
  untrustedProxyWarning,
} from './client-address.ts';

function requestFrom(address: string | undefined, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const through = (chain: string) => requestFrom('10.1.1.1', { 'x-forwarded-for': chain });

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['198.51.100.9, 192.0.2.1, 10.2.2.2', '192.0.2.1'],
  ['10.3.3.3, 10.2.2.2', '10.3.3.3'],
  ['192.0.2.1, 10.1', '10.1'],
  ['192.0.2.1, unknown', 'unknown'],
  ['2001:db8::1', '2001:db8::1'],
])('takes the address next to the last trusted proxy from %s', (chain, address) => {
  expect(clientAddresses(['10.0.0.0/8']).addressOf(through(chain))).toBe(address);
});

it('takes nobody’s word without proxies, nor that of others', () => {
  expect(clientAddresses([]).addressOf(through('192.0.2.1'))).toBe('10.1.1.1');
  expect(clientAddresses(['loopback']).addressOf(through('192.0.2.1'))).toBe('10.1.1.1');
});

it('knows no address of a connection that was reset', () => {
  const reset = requestFrom(undefined, { 'x-forwarded-for': '192.0.2.1' });
  for (const proxies of [[], ['loopback']]) expect(clientAddresses(proxies).addressOf(reset)).toBe('');
});

it('counts the connections of an address, unless it is a trusted proxy’s or this machine’s', () => {
  const networkOf = connectingNetwork(clientAddresses(['10.0.0.0/8']));
  expect(['192.0.2.1', '::ffff:192.0.2.1', '10.1.1.1', '127.0.0.1', '::1'].map(networkOf)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    null,
    null,
    null,
  ]);
  expect(connectingNetwork(clientAddresses([]))('10.1.1.1')).toBe('10.1.1.1');
});

it('refuses proxies that are neither addresses nor ranges', () => {
  expect(() => clientAddresses(['the proxy'])).toThrow();
});

it.each([
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8::1]:4711, 192.0.2.1:80', '2001:db8::1, 192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1, 192.0.2.2', '192.0.2.1, 192.0.2.2'],
])('takes the ports out of %s', (chain, without) => {
  const request = through(chain);
  tidyForwardedFor(request);
  expect(request.headers['x-forwarded-for']).toBe(without);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711, 10.2.2.2', '192.0.2.1'],
  ['2001:db8::1, 10.3.3.3,10.2.2.2', '2001:db8::1'],
])('reads the end of a chain of 1,400 addresses before %s', (end, address) => {
  const request = through(`${'203.0.113.7, '.repeat(1_400)}${end}`);
  tidyForwardedFor(request);
  const read = String(request.headers['x-forwarded-for']);
  expect(read.length).toBeLessThanOrEqual(1_000);
  expect(read.split(', ').slice(0, -3)).toEqual(
    read
      .split(', ')
      .slice(0, -3)
      .map(() => '203.0.113.7'),
  );
  expect(clientAddresses(['10.0.0.0/8']).addressOf(request)).toBe(address);
});

it('reads nothing of a chain that is one long text but that it is nobody’s address', () => {
  const request = through('a'.repeat(15_000));
  tidyForwardedFor(request);
  expect(String(request.headers['x-forwarded-for']).length).toBeLessThanOrEqual(1_000);
  expect(clientAddresses(['10.0.0.0/8']).addressOf(request)).toMatch(/^a*$/);
});

it('warns once of a proxy, if none is trusted', () => {
  const warned: string[] = [];
  const warn = untrustedProxyWarning(clientAddresses([]), (text) => warned.push(text));
  for (const request of [requestFrom('10.1.1.1'), through('192.0.2.1'), through('192.0.2.2')]) warn(request);
  expect(warned).toEqual([expect.stringContaining('TRUST_PROXY')]);
  untrustedProxyWarning(clientAddresses(['10.0.0.0/8']), (text) => warned.push(text))(through('192.0.2.1'));
  expect(warned).toHaveLength(1);
});
