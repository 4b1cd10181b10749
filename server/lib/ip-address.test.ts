import { describe, expect, it } from 'vitest';
import { clientRanges, isAddressOrRange, isLoopback, isOwnAddress, withoutPort } from './ip-address.ts';

describe('counts %s in a single range: %s', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4 address with a port', '192.0.2.1:4711', '192.0.2.1'],
    ['an IPv4-mapped address', '::ffff:192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped address in upper case', '::FFFF:192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped address in hex', '::ffff:c000:201', '192.0.2.1'],
    ['other text', 'unknown', 'unknown'],
    ['text of any length', 'x'.repeat(10_000), 'unknown'],
  ])('counts %s in one range: %s', (_, address, range) => {
    expect(clientRanges(address)).toEqual([{ range, clients: 1 }]);
  });

  it.each([
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
    ['an IPv6 address with a port', '[2001:db8:1:2::9]:4711', '2001:db8:1:2', '2001:db8:1'],
    ['a short IPv6 address', '2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
    ['an address in upper case', '2001:DB8:A:B::1', '2001:db8:a:b', '2001:db8:a'],
    ['an address with leading zeros', '2001:0db8:0001:0002::1', '2001:db8:1:2', '2001:db8:1'],
    ['an address with a zone id', 'fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0'],
    ['the loopback address', '::1', '0:0:0:0', '0:0:0'],
  ])('counts %s in its /64 and in its /48', (_, address, customer, site) => {
    expect(clientRanges(address)).toEqual([
      { range: `${customer}::/64`, clients: 1 },
      { range: `${site}::/48`, clients: 4 },
    ]);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
    'accepts %s',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );
  it.each(['128.0.0.1', '::', '::2', '::ffff:10.0.0.1', 'localhost', '127.example.com', ''])(
    'rejects "%s"',
    (text) => {
      expect(isLoopback(text)).toBe(false);
    },
  );
});

describe('isOwnAddress', () => {
  it.each(['127.0.0.1', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'])(
    'accepts %s',
    (address) => {
      expect(isOwnAddress(address)).toBe(true);
    },
  );
  it.each(['127.0.0.2', '::ffff:127.0.0.2', '::2', '10.0.0.1', 'localhost', ''])('rejects "%s"', (text) => {
    expect(isOwnAddress(text)).toBe(false);
  });
});

describe('isAddressOrRange', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '10.0.0.1/32', '::1', 'fd00::/8', '::1/128'])(
    'accepts %s',
    (text) => {
      expect(isAddressOrRange(text)).toBe(true);
    },
  );
  it.each(['', '10', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/x', 'host/8'])(
    'rejects "%s"',
    (text) => {
      expect(isAddressOrRange(text)).toBe(false);
    },
  );
});

it.each([
  ['192.0.2.1:80', '192.0.2.1'],
  ['[2001:db8::1]:80', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1', '192.0.2.1'],
  ['host:80', 'host:80'],
])('withoutPort returns %s as %s', (text, address) => {
  expect(withoutPort(text)).toBe(address);
});
