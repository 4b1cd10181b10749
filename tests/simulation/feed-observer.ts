import type { DatabaseSync } from 'node:sqlite';
import { dailyRun, type FeedFile } from './feed-servers.ts';
import { machine } from './machine.ts';
import { type Attempt, Violation } from './sale-model.ts';
import type { Provider, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface FeedObserverOptions {
  isUp: () => boolean;
  /** An operator looks at a feed that is held. */
  review: (code: string) => void;
  onEnded: (provider: Provider, attempt: Attempt) => void;
}

/** Compares what is on sale with the models, which follow the attempts that the store has. */
export function feedObserver(world: World, { isUp, review, onEnded }: FeedObserverOptions) {
  const { providers, providerOf, record } = world;
  /** The numbers of the attempts that have ended, and the highest. */
  const done = new Set<number>();
  let newest = 0;

  /** Follows the attempts that have ended. Returns whether there were any. */
  function observeAttempts(store: DatabaseSync): boolean {
    const before = done.size;
    const rows = store
      .prepare(`select id, provider, started_at, ended_at, source, outcome, message, detail from feed_attempt
        where id > ? order by id`)
      .all(newest - 40);
    for (const row of rows) {
      const id = Number(row.id);
      const outcome = String(row.outcome);
      if (done.has(id) || outcome === 'running') continue;
      done.add(id);
      newest = Math.max(newest, id);
      const code = String(row.provider);
      const source = String(row.source);
      const detail = JSON.parse(String(row.detail)) as {
        checksum?: string;
        isChanges?: boolean;
        missing?: number;
      };
      const message = String(row.message);
      record(`attempt ${id} of ${code} (${source}): ${outcome} ${message.slice(0, 100)}`);
      const provider = providerOf(code);
      const { server, model } = provider;
      const isChanges = detail.isChanges === true;
      const delivery = server.deliveries.findLast((one) => one.isChanges === isChanges);
      const attempt = {
        startedAt: Number(row.started_at),
        outcome,
        isAccepted: /^(changes from )?(the feed held|the prices quarantined|rollback)/.test(source),
        isRollback: source.startsWith('rollback'),
        isReapplied: source.startsWith('a change of'),
        isUnlisted: source === 'providers.json does not list it',
        isChanges,
        isGap: detail.missing !== undefined,
        checksum: detail.checksum ?? null,
        message,
      };
      const served = delivery?.kind === 'fault' ? null : (delivery?.file ?? null);
      model.ended(attempt, { served, excuse: excuseOf(model, delivery ?? null, attempt) });
      onEnded(provider, attempt);
      if (model.held() !== null) review(code);
    }
    return done.size > before;
  }

  function excuseOf(
    model: Provider['model'],
    delivery: { kind: string; file: FeedFile | null } | null,
    { isGap, startedAt }: Attempt,
  ): string | null {
    const since = Math.min(machine.now() - 2 * HOUR_MS, startedAt - MINUTE_MS);
    if (machine.isDiskFull || world.troubledAt + machine.wallOffset > since) return 'trouble';
    if (delivery === null || delivery.kind === 'fault') return 'fault';
    const { file } = delivery;
    if (file?.isUnusable) return 'unusable';
    if (file !== null && file.stampedAt < model.stampedAt()) return 'older';
    if (isGap) return 'gap';
    return null;
  }

  function compareSale(store: DatabaseSync): void {
    const now = machine.now();
    const today = Math.floor(now / DAY_MS);
    const rows = store
      .prepare(`select provider.code, hotel.name, price, seen_at, departure_day from offer
        join provider on provider.id = offer.provider join hotel on hotel.id = offer.hotel where departure_day > ?`)
      .all(today);
    const found = new Map(providers.map(({ code }) => [code, new Set<string>()]));
    for (const { code, name, price, seen_at, departure_day } of rows) {
      const hotel = String(name).replace('Hotel ', '');
      found.get(String(code))?.add(hotel);
      const { server, model } = providerOf(String(code));
      const is = model.sale().get(hotel);
      // An import removes what departs tomorrow.
      if (is === undefined && Number(departure_day) === today + 1) continue;
      if (is === undefined) throw new Violation(`${hotel} is on sale, and should not be`);
      if (is.checked?.prices.includes(Number(price))) is.price = Number(price);
      const seenAt = Number(seen_at) * MINUTE_MS;
      if (is.seenAt !== seenAt) Object.assign(is, { seenAt, saidAt: now });
      if (is.price !== Number(price))
        throw new Violation(`${hotel} costs ${Number(price)}, and should cost ${is.price}`);
      if (is.seenAt > Math.max(is.madeAt, is.checked?.at ?? 0) && server.isDated)
        throw new Violation(`${hotel} was seen later than its file was made`);
    }
    for (const { code, model } of providers)
      for (const [hotel, { departs }] of model.sale())
        if (Date.parse(departs) / DAY_MS > today + 1 && !found.get(code)?.has(hotel))
          throw new Violation(`${hotel} is not on sale, and should be`);
  }

  /** A healthy source's last file has been read, once its run was due for long enough. */
  function requireCurrent(provider: Provider): void {
    const { code, server, model } = provider;
    if (!isUp() || machine.isDiskFull || provider === world.unlisted) return;
    const isSold = [...model.sale().values()].some(
      ({ departs }) => Date.parse(departs) > machine.now() + DAY_MS,
    );
    const age = machine.now() - (model.seenAt() ?? machine.now());
    if (
      isSold &&
      age > (server.maxAge ?? 168) * HOUR_MS + DAY_MS &&
      machine.steady > world.troubledAt + DAY_MS
    )
      throw new Violation(`${code} has been on sale for too long without its feed`);
    const file = server.current();
    if (file === null || file.isUnusable || model.isRejected(file) || model.held() !== null) return;
    const quietSince = Math.max(server.faultlessSince, world.troubledAt);
    const madeAt = file.stampedAt - machine.wallOffset + machine.wallError;
    const reviewedAt = model.reviewedAt();
    const nextRun = reviewedAt === null ? 0 : dailyRun(server.hour, reviewedAt, true) - machine.wallOffset;
    const couldBeRead = Math.max(quietSince, madeAt, nextRun);
    if (model.last() !== null && !isSold && machine.steady > couldBeRead + 5 * HOUR_MS)
      throw new Violation(`${code} has nothing on sale, although its feed can be imported`);
    const due = dailyRun(server.hour, machine.now(), false);
    if (file.stampedAt >= due) return;
    if (machine.steady < Math.max(due - machine.wallOffset, quietSince) + 5 * HOUR_MS) return;
    if (model.readAt() < due - MINUTE_MS)
      throw new Violation(`${code} has not been read since it was due at ${new Date(due).toISOString()}`);
  }

  return { observeAttempts, compareSale, requireCurrent };
}
