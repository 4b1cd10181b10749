import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

/** Every row of IANA's special-purpose address registries, and multicast, which they leave out. */
const SPECIAL = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8
  169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32
  192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16
  192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
  240.0.0.0/4 255.255.255.255/32 ::1/128 ::/128 ::ffff:0:0/96
  64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23
  2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48
  2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
  2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16
  fc00::/7 fe80::/10 ff00::/8`
  .trim()
  .split(/\s+/);

describe('isPublicAddress', () => {
  it.each(SPECIAL)('rejects the first and the last address of %s', (range) => {
    const [first, length] = ipaddr.parseCIDR(range);
    const bytes = first.toByteArray();
    const last = bytes.map((byte, nth) => byte | (0xff >> Math.min(8, Math.max(0, length - 8 * nth))));
    expect([bytes, last].map((one) => isPublicAddress(ipaddr.fromByteArray(one).toString()))).toEqual([
      false,
      false,
    ]);
  });

  it.each(['', 'host', '127.1', '1.2.3', '::ffff:8.8.8.8', 'fec0::1', '4000::1'])('rejects "%s"', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it.each(['8.8.8.8', '172.15.255.255', '172.32.0.0', '223.255.255.255', '2606:4700::1111', '2001:200::1'])(
    'accepts %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});
