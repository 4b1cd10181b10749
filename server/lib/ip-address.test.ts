import { describe, expect, it } from 'vitest';
import { inRanges, isAddressOrRange, isLoopback, networkOf } from './ip-address.ts';

describe('networkOf', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped address', '::ffff:192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped address in upper case', '::FFFF:192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped address in hex', '::ffff:c000:201', '192.0.2.1'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['the /64 of a short IPv6 address', '2001:db8::1', '2001:db8:0:0'],
    ['the /64 of an address in upper case', '2001:DB8:A:B::1', '2001:db8:a:b'],
    ['the /64 of an address with leading zeros', '2001:0db8:0001:0002::1', '2001:db8:1:2'],
    ['the /64 of an address with a zone id', 'fe80::1%eth0', 'fe80:0:0:0'],
    ['the loopback /64', '::1', '0:0:0:0'],
    ['other text', 'unknown', 'unknown'],
  ])('returns %s: %s', (_, address, network) => {
    expect(networkOf(address)).toBe(network);
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

it('inRanges matches addresses of the same family only', () => {
  const isPrivate = inRanges(['10.0.0.0/8', 'fd00::/8']);
  expect(['10.1.2.3', 'FD00::1'].map(isPrivate)).toEqual([true, true]);
  expect(['11.0.0.0', '::ffff:10.1.2.3', 'fe00::', 'host'].map(isPrivate)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
