import type { AlertSignup, ChannelSignup } from '../../domain/alert-signup.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import type { MachineClocks } from '../storage/clock-guard.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { readCircuit, resumeSending } from './delivery/circuit.ts';
import { allChannels, type Dispatcher, dispatcher } from './delivery/dispatcher.ts';
import type { SendingLimits } from './delivery/send-context.ts';
import type { LinkResult, Stopped } from './inbound/find-link.ts';
import { actOnLink, type LinkAct, viewLink } from './inbound/link-acts.ts';
import { processEvents } from './inbound/webhook-events.ts';
import { alertKeys, readAlertSecret } from './keys/alert-keys.ts';
import type { LinkPurpose } from './keys/signed-link.ts';
import { actOnOwn, deleteOwn, exportOwn, type OwnAct, viewOwn } from './manage/own-acts.ts';
import type { NewsOfForm } from './manage/own-page.ts';
import { priceChangeQueue } from './matching/price-change-queue.ts';
import { openProviders } from './open-providers.ts';
import { localOutbox } from './outbox/local-outbox.ts';
import type { MessageProvider, WebhookRequest } from './providers/message-provider.ts';
import { definitionOf } from './providers/providers.ts';
import { linkMaker } from './rendering/message-links.ts';
import { LOOK_EVERY_MS, retentionRuns } from './retention-runs.ts';
import { type SignUpResult, signUp } from './sign-up/sign-up.ts';
import { type AlertMetrics, alertMetrics } from './status/alert-metrics.ts';
import { type AlertStore, openAlertStore } from './tables/alert-store.ts';
import { recordClick } from './tables/clicks.ts';
import { finishErasures } from './tables/erasure.ts';
import { type Notice, noticesAfter } from './tables/notices.ts';

/** A request with a signed link's token, and the client's IP address. */
interface LinkRequest {
  token: string;
  address: string;
}

/** The price alerts. If the store is unavailable, a method rejects, normally without having changed anything. */
export type AlertService = ReturnType<typeof openAlertService>['service'];

export interface AlertServiceOptions {
  store: StoreAddress;
  brandName: string;
  config: AlertsConfig;
}

/** Parts of the service that tests use directly. */
export interface AlertParts {
  store: AlertStore;
  provider: MessageProvider;
  dispatcher: Dispatcher;
}

const OVERWRITE_EVERY_MS = 60 * 1000;
const MATCH_EVERY_MS = 2 * 1000;
const REFRESH_KEYS_EVERY_MS = 2_000;

/** Opens the alerts of a store. Nothing is sent until `run`. If `run` throws, it closes the alerts. */
export function openAlertService(
  { store: address, brandName, config }: AlertServiceOptions,
  now: () => number,
  log: (line: string) => void,
  openWriter: (store: StoreAddress) => Promise<InventoryWriter>,
  clocks?: MachineClocks,
) {
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

  /** Matches the price changes that killed importers left. A running importer matches its own changes. */
  function matchChanges(): void {
    matching ??= changes
      .settleInTurns(stopping.signal)
      .catch((error: unknown) => log(`Price changes could not be matched with watches: ${String(error)}`))
      .finally(() => {
        matching = null;
      });
  }

  async function ended<T extends Stopped>(result: LinkResult<T>): Promise<LinkResult<T>> {
    if (result.kind === 'done')
      await Promise.all(result.value.stopped.map((contact) => outbox.endCallsTo(contact)));
    return result;
  }

  const service = {
    async signUp(request: { body: AlertSignup | ChannelSignup; address: string }): Promise<SignUpResult> {
      return signUp({ store, settings, brandName }, { ...request, now: now() });
    },
    /** Processes a signed webhook. If it stops a person, resolves once no call to them runs or can start. */
    async processWebhook(request: WebhookRequest): Promise<'processed' | 'unreadable'> {
      const events = definitionOf(config.provider).webhook?.read(config.provider, request) ?? null;
      if (events === null) return 'unreadable';
      await processEvents(inbound, provider, events, (contact) => outbox.endCallsTo(contact));
      return 'processed';
    },
    async viewLink({ token, purpose }: LinkRequest & { purpose: LinkPurpose }) {
      return viewLink({ store, now: now() }, token, purpose);
    },
    async viewOwn({ token, news, watch }: LinkRequest & NewsOfForm) {
      return viewOwn({ store, siteUrl, now: now() }, token, { news, watch });
    },
    async exportOwn({ token }: LinkRequest) {
      return exportOwn({ store, now: now() }, token);
    },
    /** Carries out a submitted form. If it stops a person, resolves once no call to them runs or can start. */
    async actOnOwn({ token, act }: LinkRequest & { act: OwnAct }) {
      const context = { store, now: now() };
      const result = await ended(actOnOwn(context, token, act));
      // Does not overwrite the data, because that takes long in a large store. A timer does it within a minute.
      if (act.kind === 'delete') deleteOwn(context, token);
      return result;
    },
    /** Carries out a link's action. If it stops a person, resolves once no call to them runs or can start. */
    async actOnLink({ token, purpose, act }: LinkRequest & { purpose: LinkPurpose; act: LinkAct }) {
      return ended(actOnLink({ store, now: now() }, token, purpose, act));
    },
    ...localOutbox(inbound, writing, () => openWriter(address), outbox),
    async recordClick(): Promise<void> {
      recordClick(store, now());
    },
    /** Counts and ages of messages, without personal data. */
    async readMetrics(): Promise<AlertMetrics> {
      return alertMetrics(store, now());
    },
    async readNotices(id: number): Promise<Notice[]> {
      return noticesAfter(store, id);
    },
    async stop(): Promise<void> {
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
    // The operator may have fixed the account before this start, so one call tests it.
    for (const { channel } of providers)
      if (readCircuit(store, channel).reason?.startsWith('account')) resumeSending(store, now(), channel);
    timers.push(
      setInterval(retention.look, LOOK_EVERY_MS).unref(),
      setInterval(matchChanges, MATCH_EVERY_MS).unref(),
    );
    every(OVERWRITE_EVERY_MS, 'Overwriting erased data', () => finishErasures(store));
    // An idle server also has to notice a key rotation by another process.
    every(REFRESH_KEYS_EVERY_MS, 'Reading the keys', () => store.keys.refresh());
    outbox.run();
  }

  return {
    service,
    parts: { store, provider, dispatcher: outbox } satisfies AlertParts,
    run(): void {
      try {
        start();
      } catch (error) {
        // Closes the store and connections, so that a retry can open the alerts again.
        service.stop().catch((failure: unknown) => log(`Closing the alerts failed: ${String(failure)}`));
        throw error;
      }
    },
  };
}

/** The local outbox is free and needs no pauses; email and web push are free. */
function limitsOf({ sending, email }: AlertsConfig, { name, channel }: MessageProvider): SendingLimits {
  if (name === 'local') return { ...sending, numberEveryMs: 0, pencePerMessage: 0 };
  if (channel === 'whatsapp') return sending;
  const free = { ...sending, pencePerMessage: 0 };
  return email?.kind === 'smtp' && channel === 'email'
    ? { ...free, perSecond: email.perSecond, timeoutMs: email.timeoutMs }
    : free;
}
