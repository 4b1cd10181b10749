import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertsIn } from '../../server/alerts/alerts-in-thread.ts';
import { INTERNAL_CALLER } from '../../server/lib/caller.ts';
import { recordVisitsIn, type SiteVisit } from '../../server/visits/record-visits.ts';
import { metaSettings, signed } from '../fixtures/alerts/meta-simulator.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { startSilentProxy } from '../fixtures/silent-proxy.ts';
import { alertsThreadOf, backgroundOf } from '../fixtures/test-threads.ts';

const CLICK: SiteVisit = { itemKey: 'a:package', price: 100, visitedAt: 1, isShown: true, client: 1 };

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

  it('rejects clicks before the request ends', async () => {
    const visits = recordVisitsIn(backgroundOf(behind()));
    expect(await visits.record(CLICK, INTERNAL_CALLER)).toBe('unknown package');
    const asked = proxy.fallSilent();
    const record = (client: string) =>
      visits.record(CLICK, { ...INTERNAL_CALLER, client }).catch(({ name }: Error) => name);
    const begun = record('a');
    await asked;
    expect(await Promise.all([begun, record('b')])).toEqual(['Overloaded', 'Overloaded']);
    await visits.stop();
  });

  it('rejects a sign-up in time, and lets webhooks wait longer', async () => {
    const { service } = await alertsIn(
      alertsThreadOf({
        store: behind(),
        brandName: 'Skylark',
        config: { ...alerts.config, provider: metaSettings('http://127.0.0.1:9') },
      }),
      () => {},
    );
    const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
    const signUp = () => service.signUp({ body, address: '198.51.100.7' }).catch(({ name }: Error) => name);
    const asked = proxy.fallSilent();
    const begun = signUp();
    await asked;
    const message = { id: 'stop', from: SOMEBODY, text: { body: 'STOP' } };
    const webhook = service.processWebhook(signed({ messages: [message] })).catch(({ name }: Error) => name);
    expect(await Promise.race([webhook, Promise.all([begun, signUp()])])).toEqual([
      'Overloaded',
      'Overloaded',
    ]);
    expect(await webhook).toBe('StoreUnavailable');
    proxy.speakAgain();
    await service.stop();
  });
});
