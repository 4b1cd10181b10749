import type { AlertSignup, ChannelSignup } from '../../domain/alert-signup.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import type { MachineClocks } from '../storage/clock-guard.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { readCircuit, resumeSending } from './delivery/circuit.ts';
import { allChannels, type Dispatcher, dispatcher } from './delivery/dispatcher.ts';
import type { SendingLimits } from './delivery/send-context.ts';
import { actOnLink, type LinkAct, type LinkResult, viewLink } from './inbound/link-acts.ts';
import { processEvents } from './inbound/webhook-events.ts';
import { alertKeys, readAlertSecret } from './keys/alert-keys.ts';
import type { LinkPurpose } from './keys/signed-link.ts';
import {
  actOnOwn,
  deleteOwn,
  exportOwn,
  type OwnAct,
  type OwnDone,
  type OwnResult,
  viewOwn,
} from './manage/own-acts.ts';
import type { NewsOfForm, OwnPage } from './manage/own-page.ts';
import { priceChangeQueue } from './matching/price-change-queue.ts';
import { openProviders } from './open-providers.ts';
import { type LocalOutbox, localOutbox } from './outbox/local-outbox.ts';
import type { MessageProvider, WebhookRequest } from './providers/message-provider.ts';
import { definitionOf } from './providers/providers.ts';
import { linkMaker } from './rendering/message-links.ts';
import { LOOK_EVERY_MS, retentionRuns } from './retention-runs.ts';
import { type SignUpResult, signUp } from './sign-up/sign-up.ts';
import { type AlertMetrics, alertMetrics } from './status/alert-metrics.ts';
import { type AlertStore, openAlertStore } from './tables/alert-store.ts';
import { recordClick } from './tables/clicks.ts';
import { finishErasures } from './tables/erase-number.ts';
import { type Notice, noticesAfter } from './tables/notices.ts';

/** A request behind a signed link, from an internet address. */
export interface LinkRequest {
  token: string;
  address: string;
}

/**
 * The price alerts. A method rejects if the store is unavailable. Nothing has changed then, unless it says otherwise.
 */
export interface AlertService extends LocalOutbox {
  signUp(request: { body: AlertSignup | ChannelSignup; address: string }): Promise<SignUpResult>;
  /** Reads what a signed link leads to, and changes nothing. */
  viewLink(request: LinkRequest & { purpose: LinkPurpose }): Promise<LinkResult>;
  /** Does what was chosen behind a signed link. After a stop, no call to that person is in progress or can start. */
  actOnLink(request: LinkRequest & { purpose: LinkPurpose; act: LinkAct }): Promise<LinkResult>;
  /** The page of a person's own alerts, and changes nothing. */
  viewOwn(request: LinkRequest & NewsOfForm): Promise<OwnResult<OwnPage>>;
  /** Everything that is kept about a person, and changes nothing. */
  exportOwn(request: LinkRequest): Promise<OwnResult<string>>;
  /** Does what a person chose on the page of their alerts. After a stop, no call to them is in progress or can start. */
  actOnOwn(request: LinkRequest & { act: OwnAct }): Promise<OwnResult<OwnDone>>;
  /**
   * Processes a webhook that the provider has signed. Resolves when its events are in force: after a stop, no call to that person is in progress or can start. If it rejects,
   * some of them may be, and the provider sends all of them again.
   */
  processWebhook(request: WebhookRequest): Promise<'processed' | 'unreadable'>;
  /** Counts an opening of a link in a message. */
  recordClick(): Promise<void>;
  /** State of the alerts in counts and ages. */
  readMetrics(): Promise<AlertMetrics>;
  /** Notices to the operator after `id`, oldest first. */
  readNotices(id: number): Promise<Notice[]>;
  stop(): Promise<void>;
}

export interface AlertServiceOptions {
  store: StoreAddress;
  brandName: string;
  config: AlertsConfig;
}

/** The parts of the service, for tests. */
export interface AlertParts {
  store: AlertStore;
  provider: MessageProvider;
  dispatcher: Dispatcher;
}

const OVERWRITE_EVERY_MS = 60 * 1000;
const LOOK_FOR_CHANGES_EVERY_MS = 2 * 1000;
const REFRESH_KEYS_EVERY_MS = 2_000;

/**
 * Opens the alerts of a store. Nothing is sent until `run`, which closes them if it throws. `openWriter` is used by
 * `simulateDrop` alone, `clocks` to see whether the machine's clock may be wrong.
 */
export function openAlertService(
  { store: address, brandName, config }: AlertServiceOptions,
  now: () => number,
  log: (line: string) => void,
  openWriter: (store: StoreAddress) => Promise<InventoryWriter>,
  clocks?: MachineClocks,
): { service: AlertService; parts: AlertParts; run(): void } {
  const store = openAlertStore(address, (mayCreate) =>
    alertKeys(readAlertSecret(config.secret, address, mayCreate)),
  );
  const { keys } = store;
  const { quietHours, siteUrl } = config;
  const { provider, others } = openProviders(config, { address, brandName, keys });
  const providers = [provider, ...others];
  const hasPush = others.some(({ channel }) => channel === 'push');
  const settings = { ...config, webPush: hasPush ? config.webPush : null };
  const links = siteUrl === null ? null : linkMaker(keys, siteUrl);
  const outbox = allChannels(
    providers.map((one) =>
      dispatcher(
        { store, provider: one, limits: limitsOf(config, one), quietHours, siteUrl, links, now },
        log,
      ),
    ),
  );
  const writing = links === null ? null : { brandName, links };
  const inbound = () => ({ store, brandName, siteUrl, links, quietHours, now: now() });
  const timers: NodeJS.Timeout[] = [];
  const changes = priceChangeQueue(store.database, now);
  const stopping = new AbortController();
  let matching: Promise<void> | null = null;
  const { retentionDays } = config;
  const retention = retentionRuns(store, { retentionDays, now, clocks, log });

  function every(ms: number, what: string, work: () => void): void {
    const attempt = () => {
      try {
        work();
      } catch (error) {
        log(`${what} failed: ${String(error)}`);
      }
    };
    timers.push(setInterval(attempt, ms).unref());
  }

  /** Importers match their own changes, unless they are killed. */
  function matchChanges(): void {
    matching ??= changes
      .settleInTurns(stopping.signal)
      .catch((error: unknown) => log(`Price changes could not be matched with watches: ${String(error)}`))
      .finally(() => {
        matching = null;
      });
  }

  const service: AlertService = {
    async signUp(request) {
      return signUp({ store, settings, brandName }, { ...request, now: now() });
    },
    async processWebhook(request) {
      const events = definitionOf(config.provider).webhook?.read(config.provider, request) ?? null;
      if (events === null) return 'unreadable';
      await processEvents(inbound, provider, events, (person) => outbox.endCallsTo(person));
      return 'processed';
    },
    async viewLink({ token, purpose }) {
      return viewLink({ store, now: now() }, token, purpose);
    },
    async viewOwn({ token, news, watch }) {
      return viewOwn({ store, siteUrl, now: now() }, token, { news, watch });
    },
    async exportOwn({ token }) {
      return exportOwn({ store, now: now() }, token);
    },
    async actOnOwn({ token, act }) {
      const context = { store, now: now() };
      const { result, stopped } = actOnOwn(context, token, act);
      await Promise.all(stopped.map((person) => outbox.endCallsTo(person)));
      // Overwritten within a minute, together with others: that takes long in a large store.
      if (act.kind === 'delete') deleteOwn(context, token);
      return result;
    },
    async actOnLink({ token, purpose, act }) {
      const { result, stopped } = actOnLink({ store, now: now() }, token, purpose, act);
      await Promise.all(stopped.map((person) => outbox.endCallsTo(person)));
      return result;
    },
    ...localOutbox(inbound, writing, () => openWriter(address), outbox),
    async recordClick() {
      recordClick(store, now());
    },
    async readMetrics() {
      return alertMetrics(store, now());
    },
    async readNotices(id) {
      return noticesAfter(store, id);
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await matching;
      await outbox.stop();
      await retention.done();
      await Promise.all(providers.map((one) => one.close()));
      store.close();
    },
  };

  function start(): void {
    retention.look();
    // The operator may have fixed the account before this start, so one call probes it.
    for (const { channel } of providers)
      if (readCircuit(store, channel).reason?.startsWith('account')) resumeSending(store, now(), channel);
    timers.push(
      setInterval(retention.look, LOOK_EVERY_MS).unref(),
      setInterval(matchChanges, LOOK_FOR_CHANGES_EVERY_MS).unref(),
    );
    every(OVERWRITE_EVERY_MS, 'Overwriting erased data', () => finishErasures(store));
    // A server without requests also learns of a rotation of keys that another process has begun.
    every(REFRESH_KEYS_EVERY_MS, 'Reading the keys', () => store.keys.refresh());
    outbox.run();
  }

  return {
    service,
    parts: { store, provider, dispatcher: outbox },
    run() {
      try {
        start();
      } catch (error) {
        // Who asks next opens the alerts again, with connections of their own.
        service.stop().catch((failure: unknown) => log(`Closing the alerts failed: ${String(failure)}`));
        throw error;
      }
    },
  };
}

/** The local outbox costs nothing and disturbs nobody; email and web push cost nothing. */
function limitsOf({ sending, email }: AlertsConfig, { name, channel }: MessageProvider): SendingLimits {
  if (name === 'local') return { ...sending, numberEveryMs: 0, pencePerMessage: 0 };
  if (channel === 'whatsapp') return sending;
  const free = { ...sending, pencePerMessage: 0 };
  return email?.kind === 'smtp' && channel === 'email'
    ? { ...free, perSecond: email.perSecond, timeoutMs: email.timeoutMs }
    : free;
}
