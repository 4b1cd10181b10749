import * as v from 'valibot';
import { foldText } from '../../domain/fold-text.ts';
import type { Catalogue } from '../inventory/catalogue.ts';
import type { Narrowing } from './package-repository.ts';

const MAX_POUNDS = 300_000;

const MAX_CHOICES = 200;

const MAX_LENGTH = 200;

const text = v.pipe(v.string(), v.maxLength(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`));

const choices = v.nullish(
  v.pipe(v.array(text), v.maxLength(MAX_CHOICES, `must have at most ${MAX_CHOICES} values`)),
  [],
);

const TIME_MESSAGE = 'must be a time of day (HH:MM)';

const time = v.nullish(v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME_MESSAGE)), null);

function numberTo(most: number) {
  const message = `must be a number from 0 to ${most}`;
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(most, message));
}

/** The further filters of a search (ruling 19), with defaults that let every package pass. */
export const refinementsSchema = v.pipe(
  v.strictObject({
    priceFrom: v.nullish(numberTo(MAX_POUNDS), null),
    priceTo: v.nullish(numberTo(MAX_POUNDS), null),
    boards: choices,
    minStars: v.nullish(v.pipe(numberTo(7), v.multipleOf(0.5, 'must be a multiple of 0.5')), null),
    minGuestRating: v.nullish(numberTo(10), null),
    outboundFrom: time,
    outboundTo: time,
    inboundFrom: time,
    inboundTo: time,
    airports: choices,
    airlines: choices,
    providers: choices,
    bags: v.nullish(v.boolean(), false),
    freeChild: v.nullish(v.boolean(), false),
    hotelName: v.nullish(text, ''),
  }),
  v.forward(
    v.check(
      ({ priceFrom, priceTo }) => priceFrom === null || priceTo === null || priceFrom <= priceTo,
      'must not be below priceFrom',
    ),
    ['priceTo'],
  ),
);

export type Refinements = v.InferOutput<typeof refinementsSchema>;

export const NO_REFINEMENTS: Refinements = v.parse(refinementsSchema, {});

/** The further filters in the store's terms. */
export function toNarrowing(refine: Refinements, catalogue: Catalogue): Narrowing {
  const { priceFrom, priceTo, minStars } = refine;
  return {
    prices:
      priceFrom === null && priceTo === null
        ? null
        : [Math.round((priceFrom ?? 0) * 100), Math.round((priceTo ?? MAX_POUNDS) * 100)],
    boards: idsCoded(refine.boards, catalogue.boardsCoded),
    airports: idsCoded(refine.airports, catalogue.airportsCoded),
    providers: idsCoded(refine.providers, catalogue.providersCoded),
    airlines: refine.airlines.length === 0 ? null : refine.airlines,
    minHalfStars: minStars === null ? null : minStars * 2,
    minGuestRating: refine.minGuestRating,
    outbound: minutes(refine.outboundFrom, refine.outboundTo),
    inbound: minutes(refine.inboundFrom, refine.inboundTo),
    hasBags: refine.bags,
    hasFreeChild: refine.freeChild,
    hotelName: foldText(refine.hotelName),
  };
}

/** Null: no code is chosen, and any will do. Unknown codes have no ids. */
function idsCoded(codes: readonly string[], coded: (code: string) => readonly { id: number }[]) {
  return codes.length === 0 ? null : codes.flatMap((code) => coded(code).map(({ id }) => id));
}

/** Minutes of the day. A window whose end is before its start includes midnight. */
function minutes(from: string | null, to: string | null): readonly [number, number] | null {
  return from === null && to === null ? null : [minuteOf(from ?? '00:00'), minuteOf(to ?? '23:59')];
}

function minuteOf(timeOfDay: string): number {
  return Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3));
}
