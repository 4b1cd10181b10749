import { describe, expect, it } from 'vitest';
import type { MessageText } from '../tables/messages.ts';
import { renderEmail } from './email-message.ts';
import { renderNotification } from './notification.ts';

const LINKS = {
  confirm: 'https://skylark.example/my-alerts/confirm?token=c',
  stopThis: 'https://skylark.example/my-alerts/stop?token=t',
  stopAll: 'https://skylark.example/my-alerts/stop?token=a',
  manage: 'https://skylark.example/my-alerts?token=m',
};

function drop(holiday: string): MessageText {
  const link = 'https://skylark.example/results';
  const parameters = [holiday, '£400', '£500', link, 'none today.'];
  return { template: 'drop', parameters, text: '', buttons: [], others: [] };
}

const WRITING = {
  brandName: 'Sky<lark>',
  links: () => LINKS,
  operator: 'Sunny Trips Ltd, 1 High Street, London',
  privacyUrl: 'https://skylark.example/privacy',
};

describe('An email', () => {
  it("has a subject of one line, even if a hotel's name contains line breaks", () => {
    for (const name of ['Sol\r\nBcc: other@example.com', 'Sol\nX: y', 'Sol\u2028X: y', 'Sol\u0085X: y']) {
      const { subject } = renderEmail(WRITING, drop(`${name}, Benidorm: 7 nights`), LINKS);
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(subject).toMatch(/^Price drop to £400, from £500: Sol/);
    }
  });

  it('shows markup in names as plain text', () => {
    const { html } = renderEmail(WRITING, drop('<img src=x onerror=alert(1)>, Benidorm'), LINKS);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
    expect(html).toContain('Sky&lt;lark&gt;');
  });

  it.each([
    ['confirm', 'someone asked'],
    ['welcome', 'you asked'],
    ['drop', 'you asked'],
    ['reply', 'you asked'],
  ] as const)('names who sends it, why, and the privacy notice: %s', (template, why) => {
    const { text, html } = renderEmail(WRITING, { ...drop('Hotel Sol, Benidorm'), template }, LINKS);
    expect(text).toContain(
      `You get this email because ${why} Sky<lark> for price alerts to this address. Sunny Trips Ltd, 1 High Street, London runs Sky<lark>.`,
    );
    for (const body of [text, html]) expect(body).toContain('https://skylark.example/privacy');
    expect(html).toContain('1 High Street');
  });

  it('ends with the root of the price record, as a notification does however long its text is', () => {
    const body = { ...drop(`${'h'.repeat(800)}, Benidorm`), root: '3fa9c1d2e4b5' };
    const { text, html } = renderEmail(WRITING, body, LINKS);
    for (const one of [text, html]) expect(one).toContain('https://skylark.example/price-record');
    expect(text).toContain('Price record 3fa9c1d2e4b5');
    expect(renderNotification('Skylark', body, LINKS, 1).body).toMatch(/…\nPrice record 3fa9c1d2e4b5$/);
    expect(renderEmail(WRITING, drop('Hotel Sol'), LINKS).text).not.toContain('Price record');
  });
});
