import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertsInThread } from '../../server/alerts/alerts-in-thread.ts';
import { INTERNAL_CALLER } from '../../server/lib/caller.ts';
import { recordVisitsInThread, type SiteVisit } from '../../server/visits/record-visits.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { startSilentProxy } from '../fixtures/silent-proxy.ts';

const CLICK: SiteVisit = { itemKey: 'a:package', price: 100, visitedAt: 1, isShown: true };

describe('While a request hangs in PostgreSQL', () => {
  let alerts: SmallAlerts;
  let proxy: Awaited<ReturnType<typeof startSilentProxy>>;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store: 'postgresql' });
    if (alerts.address.kind !== 'postgresql') throw new Error('No address of a server');
    proxy = await startSilentProxy(new URL(alerts.address.url));
  });
  afterEach(async () => {
    await proxy.stop();
    await alerts.close();
  });

  const behind = () => ({ ...alerts.address, url: proxy.url }) as SmallAlerts['address'];

  it('rejects a click before that request ends', async () => {
    const visits = recordVisitsInThread({ store: behind(), isSample: false });
    expect(await visits.record(CLICK, INTERNAL_CALLER)).toBe('unknown package');
    const asked = proxy.fallSilent();
    const begun = visits.record(CLICK, INTERNAL_CALLER).catch(() => 'begun');
    await asked;
    const late = visits.record(CLICK, { ...INTERNAL_CALLER, client: 'a' }).catch(({ name }: Error) => name);
    expect(await Promise.race([begun, late])).toBe('Overloaded');
    await begun;
    await visits.stop();
  });

  it('rejects a sign-up in time, and lets webhooks wait longer', async () => {
    const { service } = await alertsInThread(
      { store: behind(), brandName: 'Skylark', config: alerts.config },
      () => {},
    );
    const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
    const signUp = () => service.signUp({ body, address: '198.51.100.7' });
    const asked = proxy.fallSilent();
    const begun = signUp().catch(() => 'begun');
    await asked;
    const webhook = service.processWebhook({ headers: {}, url: '/', body: new Uint8Array() });
    const late = signUp().catch(({ name }: Error) => name);
    expect(await Promise.race([webhook, late])).toBe('Overloaded');
    expect(await webhook).not.toBe('processed');
    await begun;
    proxy.speakAgain();
    await service.stop();
  });
});
