import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AlertsInThread, alertsIn } from '../../server/alerts/alerts-in-thread.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { registerAlertGauges } from '../../server/metrics/alert-gauges.ts';
import { type StoreHolder, startStoreHolder } from '../fixtures/alerts/hold-store.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { alertsThreadOf } from '../fixtures/test-threads.ts';

let alerts: SmallAlerts;
let holder: StoreHolder;
let inThread: AlertsInThread;
beforeEach(async () => {
  alerts = await openSmallAlerts();
  holder = await startStoreHolder(alerts.address);
  const options = { store: alerts.address, brandName: 'Skylark', config: alerts.config };
  inThread = await alertsIn(alertsThreadOf(options), () => {});
});
afterEach(async () => {
  await inThread.service.stop();
  await holder.close();
  await alerts.close();
});

it('metrics respond while sign-ups wait for the lock of an import, with one pending request to the alerts', async () => {
  const { service, queue } = inThread;
  const registry = new Registry();
  registerAlertGauges(registry, service, systemClock);
  expect(await registry.metrics()).toMatch(/^skylark_alerts_up 1$/m);

  await holder.hold();
  const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
  const signUp = () => service.signUp({ body, address: '198.51.100.7' });
  const signUps = Promise.allSettled([signUp(), signUp(), signUp()]);
  for (let scrape = 0; scrape < 3; scrape += 1) {
    // The alerts may respond between two sign-ups.
    expect(await registry.metrics()).toMatch(/^skylark_alerts_up [01]$/m);
    expect(queue?.status().running).toBeLessThanOrEqual(4);
  }

  holder.releaseAfter(0);
  await signUps;
  await queue?.idle();
  expect(await registry.metrics()).toMatch(/^skylark_alerts_up 1$/m);
});
