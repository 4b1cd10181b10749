import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isListableHost, parseFeedLink } from './feed-link.ts';

const HOSTS = ['www.good.example', '*.shop.example'];

describe('a deep link', () => {
  it.each([
    ['https://www.good.example/a?b=c#d', 'https://www.good.example/a?b=c#d'],
    ['HTTPS://WWW.GOOD.EXAMPLE/a', 'https://www.good.example/a'],
    ['https://www.good.example', 'https://www.good.example/'],
    ['https://a.b.shop.example/é"x', 'https://a.b.shop.example/%C3%A9%22x'],
    ['https://www.good.example/a@b:c', 'https://www.good.example/a@b:c'],
  ])('%s is accepted', (text, href) => {
    expect(parseFeedLink(text, HOSTS)).toMatchObject({ kind: 'link', href });
  });

  it('reaches the provider as it was written, apart from percent-encoding, for arbitrary text', () => {
    const pieces = 'a B7 / . .. /./ %2e %2E%2e % %zz &b= | ~ - @ : ; + ? # \' " é < \u{1F3D6}'.split(' ');
    const hosts = [
      'www.good.example',
      'xn--a.shop.example',
      'a-.shop.example',
      'a.xn--80ak6aa92e.shop.example',
    ];
    const decoded = (text: string) =>
      text.replace(/(?:%(?:22|27|3C|3E|C3|A9|F0|9F|8F|96))+/g, (codes) => decodeURIComponent(codes));
    fc.assert(
      fc.property(
        fc.constantFrom(...hosts),
        fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
        (host, path) => {
          const text = `https://${host}/${path.join('')}`;
          const link = parseFeedLink(text, HOSTS);
          if (link.kind === 'refused') return;
          expect(decoded(link.href)).toBe(text);
          expect(link.href).toBe(URL.parse(text)?.href);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, string[]]>([
    [
      'has a dot segment (/./ or /../) in its path',
      [
        'https://www.good.example/..',
        'https://www.good.example/.',
        'https://www.good.example/a/../b',
        'https://www.good.example/a/./b',
        'https://www.good.example/a/..?b',
        'https://www.good.example/a/.#b',
        'https://www.good.example/a/%2e%2e/b',
        'https://www.good.example/a/%2E/b',
        'https://www.good.example/a/.%2e/b',
        'https://www.good.example/é/%2e./b',
      ],
    ],
    [
      'has a user name or a port',
      ['https://www.good.example:443/', 'https://www.good.example:/', 'https://@www.good.example/'],
    ],
    [
      'has spaces, backslashes or invisible characters',
      [
        'https://www.good.example/\uD800',
        'https://www.good.example/a\\..\\b',
        'https://www.good.example/a\nb',
      ],
    ],
  ])('is refused with the reason: %s', (reason, links) => {
    for (const link of links) expect(parseFeedLink(link, HOSTS), link).toEqual({ kind: 'refused', reason });
  });

  it.each([
    'https://www.good.example/.well-known/a',
    'https://www.good.example/a/.../b..',
    'https://www.good.example/a//b',
    'https://www.good.example/a?u=https://b.example/../c/./d',
    'https://www.good.example/a#/../b',
    'https://www.good.example/%zz%2F%',
    'https://www.good.example/?',
  ])('%s is kept as it is', (text) => {
    expect(parseFeedLink(text, HOSTS)).toMatchObject({ kind: 'link', href: text });
  });

  it.each([
    'http://www.good.example/',
    'https:www.good.example',
    'https:/www.good.example',
    'https:///www.good.example',
    '//www.good.example',
    'www.good.example',
    '/a',
    '',
    'javascript:alert(1)//https://www.good.example/',
    'data:text/html,https://www.good.example/',
    ' https://www.good.example/',
    'https://www.good.example/ ',
    'https://www.good.example/a b',
    'https://www.good.example/a\tb',
    'ht\ntps://www.good.example/',
    'https://www.good.example\\@evil.example/',
    'https:\\\\www.good.example/',
    'https://www.good.example@evil.example/',
    'https://evil.example@www.good.example/',
    'https://user:pass@www.good.example/',
    'https://@www.good.example/',
    'https://:@www.good.example/',
    'https://www.good.example:443/',
    'https://www.good.example:8443/',
    'https://www.good.example:/',
    'https://www.good.example./',
    'https://www%2egood.example/',
    'https://www。good.example/',
    'https://www.gооd.example/',
    'https://www.ｇood.example/',
    'https://xn--www-good-example/',
    'https://www.good.example.evil.example/',
    'https://evil-www.good.example/',
    'https://good.example/',
    'https://shop.example/',
    'https://evilshop.example/',
    'https://.shop.example/',
    'https://www.good.example\u0000.evil.example/',
    'https://www.good.example\u202E/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://www.good.example\uFFFD/',
    'blob:https://www.good.example/x',
    'view-source:https://www.good.example/',
  ])('%j is refused', (text) => {
    expect(parseFeedLink(text, HOSTS).kind).toBe('refused');
  });
});

describe('a list of hosts', () => {
  it.each(['www.good.example', '*.good.example', 'a-b.example'])('accepts %s', (host) => {
    expect(isListableHost(host)).toBe(true);
  });
  it.each([
    '',
    '*',
    '*.example',
    'localhost',
    '127.0.0.1',
    'good.example.',
    'good.example:443',
    'https://good.example',
    'GOOD.example',
    'a.*.example',
    'good.example/a',
    '[::1]',
    '-a.example',
  ])('rejects %j', (host) => {
    expect(isListableHost(host)).toBe(false);
  });
});
