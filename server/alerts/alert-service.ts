import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { readCircuit, tryAgainNow } from './delivery/circuit.ts';
import { type Dispatcher, dispatcher } from './delivery/dispatcher.ts';
import { answerInbound } from './inbound/answer-inbound.ts';
import { takeEvents } from './inbound/take-webhook.ts';
import type { MessageProvider, WebhookRequest } from './providers/message-provider.ts';
import { openProvider } from './providers/open-provider.ts';
import { alertKeys, alertSecret } from './records/alert-keys.ts';
import { type AlertStore, openAlertStore } from './records/alert-store.ts';
import { type Notice, noticesAfter } from './records/notices.ts';
import { openNumber, personById } from './records/people.ts';
import { forgetThePast } from './records/retention.ts';
import { type SignUpResult, signUp } from './sign-up/sign-up.ts';
import { type AlertMetrics, alertMetrics } from './status/alert-metrics.ts';
import { type OutboxView, outboxView } from './status/outbox-view.ts';
import { askForDrop } from './status/simulate-drop.ts';

/** The alerts, to those who ask. A rejection means that the store could not take it: nothing of it was done. */
export interface AlertService {
  signUp(request: { body: unknown; address: string }): Promise<SignUpResult>;
  /** Resolves when what it tells holds: after a stop, no call to that person is under way or can begin. */
  takeWebhook(request: WebhookRequest): Promise<'taken' | 'forbidden' | 'unreadable'>;
  answerChallenge(query: Readonly<Record<string, unknown>>): Promise<string | null>;
  readOutbox(): Promise<OutboxView>;
  /** What somebody writes on the outbox page, as if from their phone. */
  writeFrom(person: number, text: string): Promise<void>;
  askForDrop(watch: number): Promise<boolean>;
  /** How the alerts are, in counts and ages. */
  readMetrics(): Promise<AlertMetrics>;
  /** Notices to the operator after `id`. Asked now and then, it also keeps the service's thread going. */
  readNotices(id: number): Promise<Notice[]>;
  stop(): Promise<void>;
}

export interface AlertSetting {
  store: StoreAddress;
  brandName: string;
  config: AlertsConfig;
}

/** The same with its parts, which a test or a script drives by hand. */
export interface AlertParts {
  store: AlertStore;
  provider: MessageProvider;
  dispatcher: Dispatcher;
}

const RETENTION_EVERY_MS = 60 * 60 * 1000;

/** Opens the alerts of a store; nothing is sent until `run`. */
export function openAlertService(
  { store: address, brandName, config }: AlertSetting,
  now: () => number,
  log: (line: string) => void,
): { service: AlertService; parts: AlertParts; run(): void } {
  const keys = alertKeys(alertSecret(config.secret, address));
  const store = openAlertStore(address, keys);
  const provider = openProvider(config.provider, config.sending.timeoutMs);
  // There is nobody to protect from the local outbox, and nothing to pay.
  const limits =
    provider.name === 'local' ? { ...config.sending, numberEveryMs: 0, pencePerMessage: 0 } : config.sending;
  const outbox = dispatcher({ store, provider, limits, quietHours: config.quietHours, now }, log);
  let retention: NodeJS.Timeout | null = null;

  function forget(): void {
    try {
      forgetThePast(store, config.retentionDays, now());
    } catch (error) {
      log(`Forgetting the past failed: ${String(error)}`);
    }
  }

  const service: AlertService = {
    async signUp(request) {
      return signUp({ store, config, brandName }, { ...request, now: now() });
    },
    async takeWebhook(request) {
      const reading = provider.readWebhook(request);
      if (reading.kind !== 'events') return reading.kind;
      const stopped = takeEvents(store, provider.name, brandName, reading.events, now());
      await Promise.all(stopped.map((person) => outbox.quiet(person)));
      return 'taken';
    },
    async answerChallenge(query) {
      return provider.answerChallenge(query);
    },
    async readOutbox() {
      return outboxView(store);
    },
    async writeFrom(person, text) {
      if (personById(store, person) === null) return;
      const sender = { number: openNumber(store, person), userId: null };
      const { stopped } = store.transact(() => answerInbound(store, brandName, { sender, text, now: now() }));
      if (stopped !== null) await outbox.quiet(stopped);
      await outbox.drain();
    },
    async askForDrop(watch) {
      const isLowered = await askForDrop(store, address, watch, now());
      await outbox.drain();
      return isLowered;
    },
    async readMetrics() {
      return alertMetrics(store, now());
    },
    async readNotices(id) {
      return noticesAfter(store, id);
    },
    async stop() {
      if (retention !== null) clearInterval(retention);
      await outbox.stop();
      await provider.close();
      store.close();
    },
  };
  return {
    service,
    parts: { store, provider, dispatcher: outbox },
    run() {
      forget();
      // What was wrong with the account may have been mended by this very start: one call tries.
      if (readCircuit(store).reason?.startsWith('account')) tryAgainNow(store, now());
      retention = setInterval(forget, RETENTION_EVERY_MS);
      retention.unref();
      outbox.run();
    },
  };
}
