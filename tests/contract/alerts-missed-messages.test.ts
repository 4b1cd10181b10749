import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAlertService } from '../../server/alerts/alert-service.ts';
import type { MessageProviderSettings } from '../../server/alerts/providers/providers.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { type ProviderStub, startProviderStub } from '../fixtures/alerts/provider-stub.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const MINUTE = 60_000;

describe.each(STORE_KINDS)('Messages whose webhooks Twilio could not deliver, in the %s store', (store) => {
  let stub: ProviderStub;
  let alerts: SmallAlerts;
  beforeEach(async () => {
    stub = await startProviderStub();
    const provider: MessageProviderSettings = {
      kind: 'twilio',
      baseUrl: stub.url,
      accountSid: 'AC1',
      authToken: 'auth token',
      from: '+447700900001',
      publicUrl: 'https://holidays.example',
      templates: { confirm: 'C', welcome: 'W', drop: 'D' },
    };
    alerts = await openSmallAlerts({ store, config: (config) => ({ ...config, provider }) });
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
  });
  afterEach(async () => {
    await alerts.close();
    await stub.close();
  });

  const listed = (sid: string, body: string, at: number, direction = 'inbound') => ({
    sid,
    body,
    direction,
    from: `whatsapp:+${SOMEBODY}`,
    to: 'whatsapp:+447700900001',
    date_created: new Date(at).toUTCString(),
  });
  const list = (...messages: object[]) => {
    stub.answer.body = JSON.stringify({ messages, next_page_uri: null });
  };
  /** Starts a server, which lists what was missed, until a condition holds. */
  async function serve(isDone: () => Promise<void>): Promise<void> {
    const { service, run } = await openAlertService(
      { store: alerts.address, brandName: 'Skylark', config: alerts.config },
      alerts.now,
      () => {},
      openInventoryWriter,
    );
    await run();
    await vi.waitFor(isDone, 30_000);
    await service.stop();
  }
  const lists = () => stub.requests.filter(({ path }) => path.includes('PageSize'));
  const watches = async () =>
    (await alerts.parts.store.sql.all`select state from alert_watch`).map(({ state }) => state);

  it('are listed at the start, and a STOP among them takes effect', { timeout: 60_000 }, async () => {
    list(listed('SM2', 'STOP', alerts.now() - MINUTE), listed('SM1', 'YES', alerts.now() - 2 * MINUTE));
    await serve(async () => expect(await watches()).toEqual(['paused']));
    const query = new URL(lists()[0]?.path ?? '', stub.url).searchParams;
    expect(query.get('To')).toBe('whatsapp:+447700900001');
    expect(query.get('DateSent>')).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('count once, even if they are listed again or their webhook arrives later', {
    timeout: 60_000,
  }, async () => {
    list(listed('SM1', 'STOP', alerts.now() - MINUTE), listed('SM0', 'STOP', alerts.now(), 'outbound-api'));
    await serve(async () => expect(await watches()).toEqual(['paused']));
    const started = async () => (await alerts.parts.store.sql.get`select started from alert_watch`)?.started;
    const before = await started();
    await alerts.parts.store.sql.run`update alert_watch set state = 'asked'`;
    await serve(async () => expect(lists()).toHaveLength(2));
    expect(await watches()).toEqual(['asked']);
    expect(await started()).toBe(before);
  });
});
