import { expect, it } from 'vitest';
import { LOGO_MARK, NAME_MARK } from '../../domain/brand-marks.ts';
import { fillShell } from './fill-shell.ts';

const TEMPLATE = `<head>
<meta name="theme-color" content="#cfe5ea" media="(prefers-color-scheme: light)" />
<meta name="theme-color" content="#122a38" media="(prefers-color-scheme: dark)" />
<link rel="icon" href="/assets/logo-x.svg" type="image/svg+xml" />
<title>Find | ${NAME_MARK}</title>
<link rel="stylesheet" href="/page.css">
</head><div data-brand-name="${NAME_MARK}" data-brand-logo="${LOGO_MARK}"><img src="${LOGO_MARK}"/>${NAME_MARK}</div>`;

it('inserts a brand, with its stylesheet after the page’s own', () => {
  const html = fillShell(TEMPLATE, {
    name: 'Seaward',
    logoUrl: '/brand/logo.svg',
    styleUrl: '/brand/colours.css',
    sky: { light: '#ddeeff', dark: '#001122' },
  });
  expect(html).toContain('<title>Find | Seaward</title>');
  expect(html).toContain('<link rel="icon" href="/brand/logo.svg">');
  expect(html).toContain('content="#ddeeff" media="(prefers-color-scheme: light)"');
  expect(html).toContain('content="#001122" media="(prefers-color-scheme: dark)"');
  expect(html).toContain(
    '<div data-brand-name="Seaward" data-brand-logo="/brand/logo.svg"><img src="/brand/logo.svg"/>Seaward',
  );
  expect(html.indexOf('/brand/colours.css')).toBeGreaterThan(html.indexOf('/page.css'));
});

it('keeps the page’s logo if the brand has none', () => {
  const html = fillShell(TEMPLATE, { name: 'Seaward', logoUrl: null, styleUrl: null, sky: null });
  expect(html).toContain('<div data-brand-name="Seaward"><img src="/assets/logo-x.svg"/>');
  expect(html).not.toMatch(/MARK/);
});

it('escapes the name', () => {
  const name = `<script>"$&'$1`;
  const html = fillShell(TEMPLATE, { name, logoUrl: null, styleUrl: null, sky: null });
  expect(html).toContain('<title>Find | &lt;script&gt;&quot;$&amp;&#39;$1</title>');
  expect(html).not.toContain('<script>');
});
