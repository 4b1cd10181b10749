import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it('escapes values in content and in quoted attributes', () => {
    const hostile = `"><script>alert('x')</script>&`;
    const { text } = html`<a title="${hostile}">${hostile}</a>`;
    const safe = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;';
    expect(text).toBe(`<a title="${safe}">${safe}</a>`);
  });

  it('does not escape HTML twice, even in lists', () => {
    const items = ['<b>', 'two'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>&lt;b&gt;</li><li>two</li></ul>');
  });

  it('renders numbers, and nothing for null, undefined and booleans', () => {
    expect(html`${0}${null}${undefined}${false}${true}${[]}`.text).toBe('0');
  });

  it('does not treat other objects as HTML', () => {
    const forged = JSON.parse('{"text":"<script>"}') as string;
    expect(html`${forged}`.text).toBe('');
  });
});
