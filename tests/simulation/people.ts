import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signed } from '../fixtures/alerts/meta-simulator.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { between, chance, during, type FaultName, pick } from './faults.ts';
import { itemKeyOf, londonDay } from './feed-servers.ts';
import { LOST, machine, OK, type SimReply, worldAfter } from './machine.ts';
import type { RunningAlerts } from './product.ts';
import { Violation } from './sale-model.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PEOPLE = 40;
const LONDON_HOUR = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** For how long a drop has to last, without any trouble, before an alert counts as lost. */
const LOST_AFTER_MS = 80 * HOUR_MS;

/** A watch without a YES ends a week after its sign-up, unless the clock is in doubt. */
const MAX_ASKED_MS = 6 * DAY_MS;

/** Without a reply, a request ends after 90 days, and the person may be asked again; a day less, because the clock may jump. */
const ASKED_AGAIN_MS = 89 * DAY_MS;

interface Watch {
  itemKey: string;
  hotel: string;
  departs: string;
  createdAt: number;
  /** `vague`: it may have ended for want of a YES. */
  state: 'asked' | 'active' | 'paused' | 'vague';
  wasActive: boolean;
  /** The highest price since it became active or since the last alert; null: unknown. */
  reference: number | null;
  /** The highest price that an alert may compare with; 0: unknown. */
  highest: number;
  /** The highest price since the last alert that may have arrived. Null: there was none. */
  sinceTold: { highest: number } | null;
  /** The price when it was last looked at; null: not on sale. */
  price: number | null;
  /** Since when the price is a drop, on the steady clock. */
  dropSince: number | null;
}

interface Person {
  number: string;
  watches: Map<string, Watch>;
  stoppedAt: number;
  startedAt: number;
  /** When the latest confirmation request that may have arrived was sent, and whether it is unanswered. */
  askedAt: number | null;
  /** The provider accepted that request, and the person has written nothing since. */
  isAskedSurely: boolean;
  /** A request may be unanswered: a YES came when its watches may have ended, or the server forgot a refusal. */
  isAskedVague: boolean;
  /** London days on which a price alert went out, or may have. */
  alertDays: Set<string>;
  /** When the latest message was written, and how many have no reply. */
  wroteAt: number;
  withoutReply: number;
  /** Webhooks that the server has not confirmed, which it may have processed. */
  unsure: number;
}

export interface PeopleOptions {
  alerts: () => RunningAlerts | null;
  /** The price on sale; null: not on sale. */
  priceOf: (hotel: string) => number | null;
  anyHotel: () => { hotel: string; departs: string } | null;
  /** Brings the models up to date with the store. */
  observe: () => void;
  record: (line: string) => void;
  /** Since when neither the server nor the disk had trouble, on the steady clock. */
  quietSince: () => number;
  fail: (error: unknown) => void;
}

/** What the message provider does during a fault. */
const MODES = {
  fails: 'calls fail',
  limited: 'calls are limited',
  hangs: 'calls hang',
  'loses responses': 'responses are lost',
} as const;
type Mode = 'works' | keyof typeof MODES;

/** The message provider (Meta), the people with phones, and what may reach them by docs/alerts.md. */
export function people({ alerts, priceOf, anyHotel, observe, record, quietSince, fail }: PeopleOptions) {
  const everyone: Person[] = Array.from({ length: PEOPLE }, (_, index) => ({
    number: dramaNumber(index),
    watches: new Map(),
    stoppedAt: 0,
    startedAt: 0,
    askedAt: null,
    isAskedSurely: false,
    isAskedVague: false,
    alertDays: new Set(),
    wroteAt: 0,
    withoutReply: 0,
    unsure: 0,
  }));
  const byNumber = new Map(everyone.map((one) => [one.number, one]));
  let mode: Mode = 'works';
  let worksSince = 0;
  let areWebhooksLate = false;
  let lastId = 0;
  /** The messages that arrived, or may have. */
  const arrived = new Set<string>();

  const isStopped = ({ stoppedAt, startedAt }: Person) => stoppedAt > 0 && stoppedAt >= startedAt;

  /** Posts a webhook until the server has processed it. `isSure`: it was processed only now. */
  function post(
    body: object,
    delayMs: number,
    person: Person | null,
    onProcessed: (isSure: boolean) => void,
  ): void {
    const attempt = async () => {
      const running = alerts();
      const again = () => post(body, between(1, 30) * MINUTE_MS, person, onProcessed);
      if (running === null) return again();
      if (person !== null) person.unsure += 1;
      try {
        await running.run(() => running.service.processWebhook(signed(body)));
      } catch (error) {
        record(`a webhook failed: ${String(error).slice(0, 100)}`);
        return again();
      }
      if (alerts()?.service !== running.service) return again();
      const isSure = person?.unsure === 1;
      if (person !== null) person.unsure = 0;
      onProcessed(isSure);
    };
    worldAfter(delayMs, () => void attempt());
  }

  function delay(): number {
    if (areWebhooksLate || chance(0.05)) return between(1, 360) * MINUTE_MS;
    return between(500, 20_000);
  }

  /** A person writes a message, which arrives once or twice, some time later. */
  function write(person: Person, text: string, { late = false } = {}): void {
    const at = Math.floor(machine.trueNow() / 1_000) * 1_000;
    const id = `wamid.in.${++lastId}`;
    const message = {
      id,
      from: person.number,
      type: 'text',
      text: { body: text },
      timestamp: String(at / 1_000),
    };
    record(`${person.number} writes ${text}`);
    person.wroteAt = at;
    person.withoutReply += 1;
    person.isAskedSurely = false;
    let isProcessed = false;
    const times = chance(0.2) ? 2 : 1;
    for (let nth = 0; nth < times; nth += 1)
      post({ messages: [message] }, late ? between(10, 600) * MINUTE_MS : delay(), person, (isSure) => {
        record(`${text} of ${person.number} is processed`);
        if (!isProcessed) follow(person, text, at, isSure);
        isProcessed = true;
      });
  }

  /** What a processed message means. */
  function follow(person: Person, text: string, at: number, isSure: boolean): void {
    const watches = [...person.watches.values()].filter(({ departs }) => Date.parse(departs) > machine.now());
    if (text === 'STOP' && at >= person.startedAt) {
      person.stoppedAt = Math.max(person.stoppedAt, at);
      for (const watch of watches) if (watch.state !== 'vague') watch.state = 'paused';
    }
    if (text === 'START') {
      person.startedAt = Math.max(person.startedAt, at);
      if (person.stoppedAt < at)
        for (const watch of watches)
          if (watch.state === 'paused') watch.state = watch.wasActive ? 'active' : 'asked';
    }
    const isAnswer = person.askedAt !== null && at + 1_000 > person.askedAt;
    if (at > (person.askedAt ?? at) + ASKED_AGAIN_MS) person.isAskedVague = true;
    if (text === 'YES' && !isStopped(person) && (isAnswer || person.isAskedVague)) {
      for (const watch of watches) {
        if (watch.state !== 'asked' || watch.createdAt > at + 999) continue;
        const isVague = person.isAskedVague || machine.now() - watch.createdAt > MAX_ASKED_MS;
        watch.state = isVague ? 'vague' : 'active';
        person.isAskedVague = isVague;
        watch.wasActive = true;
        watch.reference = priceOf(watch.hotel);
        if (isSure && !isVague) watch.highest = watch.reference ?? watch.highest;
        person.askedAt = null;
      }
      // The question may have been about a watch that has ended.
      if (person.askedAt !== null && watches.some(({ state }) => state === 'vague'))
        Object.assign(person, { askedAt: null, isAskedVague: true });
    }
  }

  async function signUp(): Promise<void> {
    const person = pick(everyone);
    const holiday = anyHotel();
    const running = alerts();
    if (holiday === null || running === null || Date.parse(holiday.departs) < machine.now() + 9 * DAY_MS)
      return;
    const { hotel, departs } = holiday;
    const itemKey = itemKeyOf(hotel, departs);
    const watch = {
      itemKey,
      hotel,
      departs,
      createdAt: machine.now(),
      wasActive: false,
      reference: null,
      highest: priceOf(hotel) ?? 0,
      sinceTold: null,
      price: null,
      dropSince: null,
    };
    try {
      const body = signUpBody(person.number, itemKey);
      const { kind } = await running.run(() => running.service.signUp({ body, address: '198.51.100.7' }));
      record(`${person.number} signs up for ${hotel}: ${kind}`);
      if (kind !== 'ok' || person.watches.has(itemKey)) return;
      person.watches.set(itemKey, { ...watch, state: 'asked' });
      // Some do not wait for our question, and their message arrives after it.
      if (mode !== 'works' || chance(0.2))
        worldAfter(between(0, 10) * MINUTE_MS, () => write(person, 'YES', { late: true }));
    } catch (error) {
      // It may have been recorded.
      person.unsure += 1;
      if (!person.watches.has(itemKey)) person.watches.set(itemKey, { ...watch, state: 'vague' });
      record(`a sign-up failed: ${String(error).slice(0, 100)}`);
    }
  }

  function startDay(): void {
    for (let nth = 0; nth < 3; nth += 1) worldAfter(between(7, 23) * HOUR_MS, () => void signUp());
    const stops = everyone.filter((one) => !isStopped(one) && one.watches.size > 0);
    if (stops.length > 0 && chance(0.25)) worldAfter(between(1, DAY_MS), () => write(pick(stops), 'STOP'));
    for (const one of everyone.filter(isStopped))
      if (chance(0.15)) worldAfter(between(1, DAY_MS), () => write(one, 'START'));
    for (const [name, fault] of Object.entries(MODES) as [Mode, FaultName][]) {
      const begin = () => {
        mode = name;
        record(`the message provider ${name}`);
      };
      during(fault, '', begin, () => {
        mode = 'works';
        worksSince = machine.steady;
      });
    }
    const late = (areLate: boolean) => () => {
      areWebhooksLate = areLate;
    };
    during('webhooks are late', '', late(true), late(false));
    for (const one of everyone)
      for (const [key, { departs }] of one.watches)
        if (Date.parse(departs) < machine.now() - DAY_MS) one.watches.delete(key);
  }

  /** A call to the message provider. */
  function call(text: string): SimReply {
    const body = JSON.parse(text) as {
      to: string;
      biz_opaque_callback_data: string;
      template?: { name: string; components: { parameters: { text: string }[] }[] };
    };
    const person = byNumber.get(body.to);
    if (person === undefined) throw new Violation('A message went to a number that never signed up');
    const kind = body.template?.name.replace(/^holiday_|_v\d$/g, '') ?? 'reply';
    const reply: SimReply = { ...OK, delayMs: between(50, 400), body: '{}' };
    const isLost = mode === 'hangs' || (mode === 'loses responses' && chance(0.8));
    const isAccepted = !isLost ? mode !== 'fails' && mode !== 'limited' : chance(0.5);
    const parameters = body.template?.components[0]?.parameters ?? [];
    const about = parameters.map((one) => /(?<=Hotel )[A-Z]{4} \d+|£[\d,]+/.exec(one.text)?.[0]).join(' ');
    record(`${kind} to ${body.to}: ${mode}${isAccepted ? ', accepted' : ''} ${about}`);
    const [message = ''] = body.biz_opaque_callback_data.split('.');
    if (arrived.has(message)) throw new Violation(`${body.to} gets ${kind} again, which may have arrived`);
    if (isLost || isAccepted) arrived.add(message);
    const told = isLost || isAccepted ? reaches(person, kind, parameters) : null;
    if (kind === 'watch_confirm' && isAccepted && !isLost) person.isAskedSurely = true;
    if (isAccepted) deliver(body.to, body.biz_opaque_callback_data, kind, person, () => told?.());
    else if (!isLost) followRefusal(person, kind, reply.delayMs);
    if (isLost && mode === 'hangs') return { ...reply, status: 0, end: 'hangs' };
    if (isLost) return { ...reply, status: chance(0.5) ? 502 : 0, end: 'lost' };
    if (mode === 'fails') return { ...reply, status: 500, body: '{"error":{"code":131000}}' };
    if (mode === 'limited') return { ...reply, status: 429, body: '{"error":{"code":130429}}' };
    return { ...reply, body: JSON.stringify({ messages: [{ id: `wamid.${lastId}` }] }) };
  }

  /** A server that dies before it records a refusal cannot know whether the message arrived, so it does not send it again. */
  function followRefusal(person: Person, kind: string, delayMs: number): void {
    const service = alerts()?.service;
    worldAfter(delayMs + 1_000, () => {
      if (alerts()?.service === service) return;
      if (kind === 'watch_confirm') person.isAskedVague = true;
      if (kind === 'price_drop')
        for (const watch of person.watches.values())
          Object.assign(watch, { dropSince: null, reference: null });
    });
  }

  /** `onKnown` is called when the server learns that the message arrived. */
  function deliver(to: string, token: string, kind: string, person: Person, onKnown: () => void): void {
    const id = `wamid.${++lastId}`;
    for (const status of ['sent', 'delivered'])
      for (let nth = 0; nth < (chance(0.2) ? 2 : 1); nth += 1)
        post(
          { statuses: [{ id, status, recipient_id: to, biz_opaque_callback_data: token }] },
          delay(),
          null,
          onKnown,
        );
    if (kind === 'watch_confirm' && chance(0.8))
      worldAfter(between(1, 600) * MINUTE_MS, () => write(person, 'YES'));
  }

  /** Checks a message that a person gets, or may get. Returns what follows when the server knows that it arrived. */
  function reaches(person: Person, kind: string, parameters: { text: string }[]): (() => void) | null {
    observe();
    const isAsked = person.isAskedSurely && machine.now() < (person.askedAt ?? 0) + ASKED_AGAIN_MS;
    if (kind === 'watch_confirm' && isAsked)
      throw new Violation(`${person.number} is asked to confirm twice`);
    if (kind === 'watch_confirm') Object.assign(person, { askedAt: machine.now(), isAskedVague: false });
    if (kind === 'reply' && --person.withoutReply < 0)
      throw new Violation(`${person.number} gets two replies to a message`);
    if (kind === 'reply') return null;
    if (isStopped(person)) throw new Violation(`${person.number} gets ${kind} after a STOP`);
    if (kind !== 'price_drop') return null;
    const hour = Number(LONDON_HOUR.format(machine.now()));
    if ((hour < 8 || hour >= 21) && machine.now() > person.wroteAt + 11 * MINUTE_MS)
      throw new Violation(`${person.number} gets a price alert at night`);
    const day = londonDay(machine.now());
    if (person.alertDays.has(day))
      throw new Violation(`${person.number} gets a second price alert on ${day}`);
    person.alertDays.add(day);
    const texts = parameters.map(({ text }) => text);
    const [hotel = '', ...others] = texts.join(' ').match(/(?<=Hotel )[A-Z]{4} \d+/g) ?? [];
    const price = texts[1] ?? '';
    const watch = [...person.watches.values()].find((one) => one.hotel === hotel);
    if (watch === undefined && person.unsure === 0)
      throw new Violation(`${person.number} does not watch ${hotel}`);
    if (watch !== undefined && !['active', 'vague'].includes(watch.state) && person.unsure === 0)
      throw new Violation(`${person.number} gets an alert for ${hotel}, which is ${watch.state}`);
    const now = priceOf(hotel);
    if (now === null)
      throw new Violation(`${person.number} gets an alert for ${hotel}, which is not on sale`);
    const said = Number(/£([\d,]+)/.exec(price)?.[1]?.replaceAll(',', ''));
    if (Math.abs(said - now / 100) > 1)
      throw new Violation(`${hotel} costs ${now}, and the alert says £${said}`);
    if (watch !== undefined && !isDrop(watch.highest, now))
      throw new Violation(`${person.number} gets an alert for ${hotel}, from ${watch.highest} to ${now}`);
    const told: (() => void)[] = [];
    for (const one of person.watches.values()) {
      one.dropSince = null;
      if (one.hotel !== hotel && !others.includes(one.hotel)) continue;
      one.reference = mode === 'works' ? priceOf(one.hotel) : null;
      const since = { highest: priceOf(one.hotel) ?? 0 };
      one.sinceTold = since;
      told.push(() => {
        if (one.sinceTold === since) one.highest = since.highest;
      });
    }
    return () => {
      for (const one of told) one();
    };
  }

  /** Follows prices, and finds alerts that are lost. */
  function followPrices(): void {
    for (const person of everyone)
      for (const watch of person.watches.values()) {
        watch.highest = Math.max(watch.highest, priceOf(watch.hotel) ?? 0);
        if (watch.sinceTold !== null)
          watch.sinceTold.highest = Math.max(watch.sinceTold.highest, priceOf(watch.hotel) ?? 0);
        if (watch.state !== 'active') {
          watch.dropSince = null;
          watch.reference = null;
          continue;
        }
        const price = priceOf(watch.hotel);
        const was = watch.price ?? price;
        watch.price = price;
        if (price === null || was === null) {
          watch.dropSince = null;
          watch.reference = null;
          continue;
        }
        // After a move that is too large to be true, earlier prices do not count.
        const isPlausible = price * 3 >= was && price <= was * 3;
        watch.reference = isPlausible ? Math.max(price, watch.reference ?? price) : price;
        watch.dropSince = isDrop(watch.reference, price) ? (watch.dropSince ?? machine.steady) : null;
        if (watch.dropSince === null || mode !== 'works' || person.unsure > 0) continue;
        const since = Math.max(watch.dropSince, worksSince, quietSince());
        if (machine.steady - since > LOST_AFTER_MS)
          throw new Violation(
            `${person.number} got no alert about ${watch.hotel}, from ${watch.reference} to ${price}`,
          );
      }
  }

  /** Compares the watches of the store with those that there should be. */
  function compareWatches(rows: readonly [string, string][], keyOf: (number: string) => string): void {
    const found = new Map(rows);
    for (const person of everyone) {
      if (person.unsure > 0) continue;
      for (const watch of person.watches.values()) {
        const days = (Date.parse(watch.departs) - machine.now()) / DAY_MS;
        const age = (machine.now() - watch.createdAt) / DAY_MS;
        if (days < 2 || watch.state === 'vague' || (!watch.wasActive && age > 6)) continue;
        const state = found.get(`${keyOf(person.number)} ${watch.itemKey}`);
        if (state !== watch.state)
          throw new Violation(
            `The watch of ${person.number} for ${watch.hotel} is ${state}, and should be ${watch.state}`,
          );
      }
    }
  }

  return {
    startDay,
    call: (text: string): SimReply => {
      try {
        return call(text);
      } catch (error) {
        fail(error);
        return LOST;
      }
    },
    followPrices,
    compareWatches,
  };
}

function isDrop(was: number, is: number): boolean {
  return was - is >= 1_000 && (was - is) * 100 >= was * 5;
}
