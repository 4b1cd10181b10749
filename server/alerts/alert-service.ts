import type { SubscriptionMove } from '../../domain/alert-signup.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { errorMessage } from '../lib/error-message.ts';
import type { MachineClocks } from '../storage/clock-guard.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { allChannels, type Dispatcher, dispatcher } from './delivery/dispatcher.ts';
import { readPause, resumeSending } from './delivery/pauses.ts';
import type { SendingLimits } from './delivery/send-context.ts';
import { processEvents as process } from './inbound/webhook-events.ts';
import { alertKeys, readAlertSecret } from './keys/alert-keys.ts';
import type { LinkPurpose } from './keys/signed-link.ts';
import { actOnLink, deleteOwn, exportOwn, viewLink } from './manage/link-acts.ts';
import type { LinkAct } from './manage/link-pages.ts';
import type { NewsOfForm } from './manage/own-page.ts';
import { priceChangeQueue } from './matching/price-change-queue.ts';
import { processMissedMessages } from './missed-messages.ts';
import { emailWriting, openProviders } from './open-providers.ts';
import { localOutbox } from './outbox/local-outbox.ts';
import type { MessageProvider, ProviderEvent, WebhookRequest } from './providers/message-provider.ts';
import { definitionOf } from './providers/providers.ts';
import { LOOK_EVERY_MS, retentionRuns } from './retention-runs.ts';
import { type MoveResult, moveSubscription } from './sign-up/move-subscription.ts';
import { type SignUpRequest, type SignUpResult, signUp } from './sign-up/sign-up.ts';
import { type AlertMetrics, alertMetrics } from './status/alert-metrics.ts';
import { type AlertStore, openAlertStore } from './tables/alert-store.ts';
import { finishErasures } from './tables/erasure.ts';
import { type Notice, noticesAfter } from './tables/notices.ts';

/** A request with a signed link's token, and the client's IP address. */
interface LinkRequest {
  token: string;
  address: string;
}

/** The price alerts. If the store is unavailable, a method rejects, normally without having changed anything. */
export type AlertService = Awaited<ReturnType<typeof openAlertService>>['service'];

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
const LIST_MISSED_EVERY_MS = 5 * 60 * 1000;

/** Opens the alerts of a store. Nothing is sent until `run`. If `run` throws, it closes the alerts. */
export async function openAlertService(
  { store: address, brandName, config }: AlertServiceOptions,
  now: () => number,
  log: (line: string) => void,
  openWriter: (store: StoreAddress) => Promise<InventoryWriter>,
  clocks?: MachineClocks,
) {
  const store = await openAlertStore(address, (mayCreate) =>
    alertKeys(readAlertSecret(config.secret, address, mayCreate)),
  );
  const { keys } = store;
  const { quietHours, siteUrl } = config;
  const writing = emailWriting(config, brandName, keys);
  const { provider, others } = openProviders(config, address, writing);
  const providers = [provider, ...others];
  const hasPush = others.some(({ channel }) => channel === 'push');
  const settings = { ...config, webPush: hasPush ? config.webPush : null };
  const links = writing?.links ?? null;
  const outbox = allChannels(
    providers.map((one) =>
      dispatcher(
        { store, provider: one, limits: limitsOf(config, one), quietHours, siteUrl, links, now },
        log,
      ),
    ),
  );
  const context = () => ({ store, brandName, siteUrl, links, now: now() });
  const processEvents = (events: readonly ProviderEvent[]) =>
    process(context, provider, events, (contact) => outbox.endCallsTo(contact));
  const changes = priceChangeQueue(store.database, now);
  const stopping = new AbortController();
  const repeated: { timer: NodeJS.Timeout; ended: () => Promise<void> | null }[] = [];

  /** Does `work` now and at intervals, one run at a time, until the service stops. */
  function repeat(everyMs: number, what: string, work: () => Promise<void>): void {
    let running: Promise<void> | null = null;
    const attempt = () => {
      running ??= work()
        .catch((error: unknown) => log(`${what} failed: ${errorMessage(error)}`))
        .finally(() => {
          running = null;
        });
    };
    attempt();
    repeated.push({ timer: setInterval(attempt, everyMs).unref(), ended: () => running });
  }

  const service = {
    async signUp(request: Omit<SignUpRequest, 'now'>): Promise<SignUpResult> {
      return signUp({ store, settings, brandName }, { ...request, now: now() });
    },
    async moveSubscription({ body }: { body: SubscriptionMove; address: string }): Promise<MoveResult> {
      return moveSubscription(store, body, settings.webPush?.services ?? []);
    },
    /** Processes a signed webhook. If it stops a person, resolves once no call to them runs or can start. */
    async processWebhook(request: WebhookRequest): Promise<'processed' | 'unreadable'> {
      const events = definitionOf(config.provider).webhook?.read(config.provider, request) ?? null;
      if (events === null) return 'unreadable';
      await processEvents(events);
      return 'processed';
    },
    async viewLink({ token, purpose, news, watch }: LinkRequest & { purpose: LinkPurpose } & NewsOfForm) {
      return viewLink(context(), token, purpose, { news, watch });
    },
    async exportOwn({ token }: LinkRequest) {
      return exportOwn(context(), token);
    },
    /** Carries out a link's action. If it stops a person, resolves once no call to them runs or can start. */
    async actOnLink({ token, purpose, act }: LinkRequest & { purpose: LinkPurpose; act: LinkAct }) {
      const acting = context();
      const result = await actOnLink(acting, token, purpose, act);
      await Promise.all((result?.stopped ?? []).map((contact) => outbox.endCallsTo(contact)));
      // Does not overwrite the data, because that takes long in a large store. A timer does it within a minute.
      if (act.kind === 'delete') await deleteOwn(acting, token);
      return result;
    },
    ...localOutbox(context, writing, () => openWriter(address), outbox),
    /** Counts and ages of messages, without personal data. */
    async readMetrics(): Promise<AlertMetrics> {
      return alertMetrics(store, now());
    },
    async readNotices(id: number): Promise<Notice[]> {
      return noticesAfter(store, id);
    },
    async stop(): Promise<void> {
      for (const { timer } of repeated) clearInterval(timer);
      stopping.abort();
      await Promise.all([outbox.stop(), ...repeated.map(({ ended }) => ended())]);
      for (const one of providers) one.close?.();
      await store.close();
    },
  };

  async function start(): Promise<void> {
    // The operator may have fixed the account before this start, so one call tests it.
    for (const { channel } of providers)
      if ((await readPause(store, channel)).reason?.startsWith('account'))
        await resumeSending(store, now(), channel);
    const { retentionDays } = config;
    const deleteExpired = retentionRuns(store, { retentionDays, now, clocks, log });
    repeat(LOOK_EVERY_MS, 'Deleting expired records', deleteExpired);
    repeat(OVERWRITE_EVERY_MS, 'Overwriting erased data', async () => {
      await finishErasures(store);
    });
    // A running importer matches its own changes. These are what killed importers left.
    repeat(MATCH_EVERY_MS, 'Matching price changes', () => changes.settleInTurns(stopping.signal));
    repeat(LIST_MISSED_EVERY_MS, 'Listing missed messages', () =>
      processMissedMessages(store, provider, processEvents, now(), stopping.signal),
    );
    outbox.run();
  }

  return {
    service,
    parts: { store, provider, dispatcher: outbox } satisfies AlertParts,
    async run(): Promise<void> {
      try {
        await start();
      } catch (error) {
        // Closes the store and connections, so that a retry can open the alerts again.
        service.stop().catch((failure: unknown) => log(`Closing the alerts failed: ${String(failure)}`));
        throw error;
      }
    },
  };
}

const FREE = { pencePerMessage: 0, pencePerMarketing: 0 };

/** The local outbox is free and needs no pauses; email and web push are free. */
function limitsOf({ sending, email }: AlertsConfig, { name, channel }: MessageProvider): SendingLimits {
  if (name === 'local') return { ...sending, ...FREE, numberEveryMs: 0 };
  if (channel === 'whatsapp') return sending;
  const free = { ...sending, ...FREE };
  return email?.kind === 'smtp' && channel === 'email'
    ? { ...free, perSecond: email.perSecond, timeoutMs: email.timeoutMs }
    : free;
}
