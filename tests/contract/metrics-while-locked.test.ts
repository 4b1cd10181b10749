import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AlertsInThread, alertsInThread } from '../../server/alerts/alerts-in-thread.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { registerAlertGauges } from '../../server/metrics/alert-gauges.ts';
import { type StoreHolder, startStoreHolder } from '../fixtures/alerts/hold-store.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';

let alerts: SmallAlerts;
let holder: StoreHolder;
let inThread: AlertsInThread;
beforeEach(async () => {
  alerts = await openSmallAlerts();
  holder = await startStoreHolder(alerts.address);
  const options = { store: alerts.address, brandName: 'Skylark', config: alerts.config };
  inThread = await alertsInThread(options, () => {});
});
afterEach(async () => {
  await inThread.service.stop();
  await holder.close();
  await alerts.close();
});

it('are there while a sign-up waits for the lock of an import, and say that the alerts do not answer', async () => {
  const { service, queue } = inThread;
  const registry = new Registry();
  registerAlertGauges(registry, service, systemClock);
  expect(await registry.metrics()).toMatch(/^skylark_alerts_up 1$/m);

  await holder.hold();
  const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
  const signUp = service.signUp({ body, address: '198.51.100.7' });
  for (let scrape = 0; scrape < 3; scrape += 1) {
    expect(await registry.metrics()).toMatch(/^skylark_alerts_up 0$/m);
  }
  // The sign-up and one question.
  expect(queue?.status()).toMatchObject({ running: 2, waiting: 0 });

  holder.releaseAfter(0);
  expect(await signUp).toMatchObject({ kind: 'ok' });
  await queue?.idle();
  expect(await registry.metrics()).toMatch(/^skylark_alerts_up 1$/m);
});
