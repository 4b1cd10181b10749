import type { Airport } from '../../../domain/airport.ts';
import { BOARD_BASIS } from '../../../domain/board-basis.ts';
import type { Destination } from '../../../domain/destination.ts';
import { foldText } from '../../../domain/fold-text.ts';
import { NEEDED_FIELDS, readDay } from '../formats/flat-item.ts';
import { isPerPerson } from '../formats/mapped/column-words.ts';
import { dateReader, NUMBER_FORMS, readNumberForm } from '../formats/mapped/value-forms.ts';
import { type Reason, type SampleColumn, sampleColumns } from './sample-columns.ts';

/** A mapping to check, and why it has what it has. */
export interface Proposal {
  /** Null: the feed has items already, and needs no mapping. */
  mapping: { fields: Record<string, unknown> } | null;
  reasons: Reason[];
  /** Required fields that no column seems to have. */
  missing: string[];
  /** The hosts of its links. */
  hosts: string[];
}

/** Words of boards in feeds, folded, in English, German, Spanish and French, and codes other than Skylark's. */
const BOARDS: Readonly<Record<string, string>> = {
  AI: 'all inclusive|allinclusive|alles inklusive|todo incluido|tout compris|ti|tc',
  FB: 'full board|vollpension|pension completa|pension complete|vp|pc',
  HB: 'half board|halbpension|media pension|demi pension|hp|mp|dp',
  BB: 'bed and breakfast|bed breakfast|breakfast|fruhstuck|ubernachtung fruhstuck|desayuno|petit dejeuner|b b|uf|ad',
  SC: 'self catering|selbstverpflegung|sv',
  RO: 'room only|nur ubernachtung|solo alojamiento|ue|sa|ep',
};

const DATE_FORMS = `YYYY-MM-DD|DD/MM/YYYY|MM/DD/YYYY|DD.MM.YYYY|DD-MM-YYYY|YYYYMMDD|YYYY/MM/DD|D/M/YYYY
  |D MMM YYYY|D MMMM YYYY|DD-MMM-YYYY|DD/MM/YY|YYYY-MM-DD HH:mm:ss|YYYY-MM-DD HH:mm|DD/MM/YYYY HH:mm
  |excel|epoch-days|epoch-seconds|epoch-milliseconds`.split(/\s*\|/);

/** A field: what its columns are called, what their values look like, and the steps that read them. */
interface Guess {
  field: string;
  names: RegExp;
  /** Null: the values are of another kind. */
  steps: (values: readonly string[]) => { steps: object; why: string } | null;
  /** Tells by the values alone; `unnamed`: only where columns have no names. */
  tell?: Guess['steps'];
  unnamed?: Guess['steps'];
}

/** A mapping as JSON, with a line for each field. */
export function mappingText({ fields, ...settings }: NonNullable<Proposal['mapping']>): string {
  const lines = (entries: object, indent: string) =>
    Object.entries(entries).map(
      ([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
  const ofFields = lines(fields, '    ').join(',\n');
  return `{\n${[...lines(settings, '  '), `  "fields": {\n${ofFields}\n  }`].join(',\n')}\n}`;
}

/** What values are compared with. */
export interface Lists {
  airports: readonly Airport[];
  destinations: readonly Destination[];
  today: string;
}

/** Proposes how to read a feed from its beginning, and says why. It guesses nothing that `check` does not show. */
export function proposeMapping(
  head: Uint8Array,
  { isWhole, ...lists }: { isWhole: boolean } & Lists,
): Proposal {
  const { airports } = lists;
  const { settings, reasons, columns } = sampleColumns(head, isWhole);
  const links = columns.find(
    ({ values }) => values.length > 0 && values.every((value) => /^https?:/i.test(value)),
  );
  const hosts = [
    ...new Set((links?.values ?? []).flatMap((value) => URL.parse(value)?.hostname ?? [])),
  ].slice(0, 5);
  if (
    ['TotalPrice', 'DepartureDate', 'HolidayResort'].every((field) =>
      columns.some(({ name }) => name === field),
    )
  ) {
    const why = "the columns are an item's fields";
    return { mapping: null, reasons: [{ what: 'format', choice: 'items', why }], missing: [], hosts };
  }
  const fields: Record<string, unknown> = {};
  const left = new Set(columns);
  const take = (field: string, column: SampleColumn, steps: object, why: string) => {
    left.delete(column);
    fields[field] = { column: column.name, ...steps };
    const examples = [...new Set(column.values)].slice(0, 3).join(', ').slice(0, 80);
    reasons.push({ what: field, choice: `column ${column.name}`, why: `${why}: ${examples}` });
  };
  proposeWide(fields, left, reasons, airports);
  const guesses = guessesOf(lists);
  for (const { field, names, steps } of guesses) {
    if (fields[field] !== undefined) continue;
    const named = [...left].filter(({ name }) => typeof name === 'string' && names.test(nameKey(name)));
    // The shortest name is the plainest: `price` before `price_before`.
    for (const column of named.toSorted(
      (one, other) => nameKey(one.name).length - nameKey(other.name).length,
    )) {
      const read = steps(column.values);
      if (column.values.length === 0 || read === null) continue;
      take(field, column, read.steps, `its name, and ${read.why}`);
      break;
    }
  }
  for (const evidence of ['tell', 'unnamed'] as const) {
    for (const { field, [evidence]: tell } of guesses) {
      if (tell === undefined || fields[field] !== undefined) continue;
      for (const column of left) {
        if (evidence === 'unnamed' && typeof column.name === 'string') continue;
        const read = column.values.length === 0 ? null : tell(column.values);
        if (read === null) continue;
        take(field, column, read.steps, read.why);
        break;
      }
    }
  }
  proposeTimes(fields, reasons);
  const mapping = { ...settings, fields };
  return {
    mapping,
    reasons,
    missing: [...NEEDED_FIELDS, 'DeeplinkUrl'].filter(
      (field) => fields[field] === undefined && !(field === 'Duration' && fields.ReturnDate),
    ),
    hosts,
  };
}

/** Words of a column's name, the last of its path first in rank: `offers/offer/@dep_date` is `dep date`. */
function nameKey(name: string | number): string {
  const parts = String(name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[/.]/)
    .filter(Boolean);
  const [last = '', parent = ''] = parts.toReversed().map((part) => foldText(part.replace('@', '')));
  return ['id', 'code', 'name', 'date', 'lat', 'lng', 'lon', 'airport', 'stars'].includes(last)
    ? `${parent} ${last}`.trim()
    : last;
}

/** Steps for values that all pass a test. */
function ifAll(test: (value: string) => boolean, why: string, steps: object = {}): Guess['steps'] {
  return (values) => (values.every(test) ? { steps, why } : null);
}

/** Steps for numbers in a range, in any form. */
function number(least: number, most: number, what: string): Guess['steps'] {
  return (values) => {
    const isIn = (read: string | null) =>
      read !== null && Number(read) >= least && Number(read) <= most && !/\.\d{3}$/.test(read);
    const form = NUMBER_FORMS.find((one) => values.every((value) => isIn(readNumberForm(value, one))));
    if (form === undefined) return null;
    return { steps: form === '1234.56' ? {} : { number: form }, why: `its numbers are ${what} (${form})` };
  };
}

const text: Guess['steps'] = (values) =>
  values.some((value) => /\p{L}{2}/u.test(value)) && !values.some((value) => value.includes('://'))
    ? { steps: {}, why: 'its texts' }
    : null;

const board: Guess['steps'] = (values) => {
  const words = [...new Set(values)];
  if (words.every(isBoard)) return { steps: {}, why: 'its codes are known' };
  const found = words.map((word) => {
    const isOf = ([own, others]: [string, string]) =>
      own === word.toUpperCase() || others.split('|').includes(foldText(word));
    return [word, Object.entries(BOARDS).find(isOf)?.[0]] as const;
  });
  const known = found.filter(([, code]) => code !== undefined);
  const unknown = found.flatMap(([word, code]) => (code === undefined ? [word] : []));
  if (known.length === 0 && words.some((word) => word.length > 30)) return null;
  const why =
    known.length === 0
      ? 'none of its words is known: give their codes'
      : `most of its words are known${unknown.length > 0 ? ` (not ${unknown.slice(0, 5).join(', ')})` : ''}`;
  return {
    steps: { values: Object.fromEntries(known), ...(unknown.length > 0 && { otherwise: 'omit' }) },
    why,
  };
};

function isBoard(code: string): boolean {
  return Object.hasOwn(BOARD_BASIS, code.toUpperCase());
}

function guessesOf({ airports, destinations, today }: Lists): Guess[] {
  const listed = (level: 'country' | 'region' | 'resort'): Guess['steps'] => {
    const names = new Set(destinations.map((place) => foldText(place[level])));
    return (values) =>
      values.filter((value) => names.has(foldText(value))).length * 2 > values.length
        ? { steps: {}, why: 'most of its values are on the destination list' }
        : null;
  };
  const codes = new Set(airports.map(({ code }) => code));
  const byName = new Map(
    airports.flatMap(({ code, name }) => [
      [foldText(name), code],
      [foldText(name).split(' ').at(-1) ?? '', code],
    ]),
  );
  const departure: Guess['steps'] = (values) => {
    const isCode = (value: string) => codes.has(value.trim().toUpperCase());
    if (values.every(isCode)) return { steps: {}, why: 'its values are UK airports' };
    const list = values.find((value) => /^[A-Z]{3}\W+[A-Z]{3}/.test(value)) ?? '';
    const split = /[^A-Za-z\s]/.exec(list)?.[0];
    if (split !== undefined && values.every((value) => value.split(split).every(isCode)))
      return { steps: { split }, why: 'its values are lists of UK airports' };
    const named = [...new Set(values)].map((value) => [value, byName.get(foldText(value))] as const);
    return named.every(([, code]) => code !== undefined)
      ? { steps: { values: Object.fromEntries(named) }, why: 'its values are names of UK airports' }
      : null;
  };
  const day: Guess['steps'] = (values) => {
    const days = [...new Set(values)];
    const end = `${Number(today.slice(0, 4)) + 3}`;
    const isAhead = (read: string | null) => {
      const at = readDay(read ?? '');
      return at !== null && at > today && at < end;
    };
    const form = DATE_FORMS.find((one) => days.every((value) => isAhead(dateReader(one)(value))));
    if (form === 'YYYY-MM-DD') return { steps: {}, why: `its days are written ${form}` };
    if (form !== undefined) return { steps: { date: form }, why: `its days are written ${form}` };
    return days.every(isAhead) ? { steps: {}, why: 'its days are in ISO 8601' } : null;
  };
  const arrival = ifAll(
    (value) => /^[A-Z]{3}$/.test(value) && !codes.has(value),
    'its values are airports abroad',
  );
  const link = ifAll((value) => /^https?:\/\//i.test(value), 'its values are links');
  const truth = ifAll((value) => /^(?:[01yn]|true|false|yes|no)$/i.test(value), 'its values are yes or no');
  const price = number(30, 50_000, 'amounts');
  const nights = number(1, 60, 'nights');
  const stars = number(0.5, 5, 'stars');
  /** Days, each one more than nights. */
  const days: Guess['steps'] = (values) => {
    const least = Object.fromEntries([...new Set(values)].map((value) => [value, Number(value) - 1]));
    return (
      number(2, 61, 'days')(values) && {
        steps: { values: least },
        why: 'it counts days, one more than nights',
      }
    );
  };
  const guesses: [Guess['field'], Guess['names'], Guess['steps'], Pick<Guess, 'tell' | 'unnamed'>?][] = [
    ['DeeplinkUrl', /^(?!.*(?:image|photo|picture|img|logo)).*(?:deep ?link|url|link)/, link, { tell: link }],
    ['HotelImages', /image|photo|picture|img|bild/, link],
    [
      'HotelIdentifierCode',
      /^(?:hid|id|code|hotel ?(?:id|code|ref|no|key)|property ?(?:id|code)|giata.*|merchant product id)$/,
      ifAll((value) => value.length <= 60, 'its short texts'),
    ],
    [
      'HotelName',
      /^(?:hotel ?name|hotel|property(?: name)?|accommodation(?: name)?|unterkunft|name|title|hotelname)$/,
      text,
      { unnamed: text },
    ],
    ['HolidayCountry', /country|land$|^pais$|^pays$|^country code$/, text, { tell: listed('country') }],
    ['HolidayRegion', /region|destination|area|province|island|zielgebiet/, text, { tell: listed('region') }],
    ['HolidayResort', /resort|city|town|location|^ort$|place|ciudad|ville/, text, { tell: listed('resort') }],
    [
      'DepartureAirportCode_Outbound',
      /^(?:from|dep.*|origin.*|.*departure.*|airports?|abflug.*|.*from)$/,
      departure,
      { tell: departure },
    ],
    [
      'ArrivalAirportCode_Outbound',
      /^(?:to|arr.*|dest.*|.*arrival.*|ziel.*|airport to)$/,
      arrival,
      { tell: arrival },
    ],
    ['ReturnDate', /return|inbound.*date|check ?out|end ?date|ruck|bis$/, day],
    ['DepartureDate', /dep|date|start|travel|outbound|abreise|von$|fecha|check ?in/, day, { tell: day }],
    [
      'Duration',
      /night|nacht|noches|nuits|dur|los|stay/,
      nights,
      { unnamed: (values) => (values.includes('7') ? nights(values) : null) },
    ],
    ['Duration', /days|tage|dias|jours/, days],
    [
      'BoardBasis',
      /board|meal|verpflegung|regimen|pension|basis|catering/,
      board,
      { tell: ifAll(isBoard, 'its codes are known') },
    ],
    [
      'TotalPriceBeforeDiscount',
      /(?:price|cost).*(?:was|before|old)|(?:was|old|rrp|before|full|list).*(?:price|cost)|^rrp|^was$/,
      price,
    ],
    [
      'TotalPrice',
      /price|cost|total|amount|preis|precio|prix|each|^pp$/,
      price,
      { unnamed: number(100, 50_000, 'amounts') },
    ],
    ['Currency', /curr|wahrung|devise|moneda/, ifAll((value) => value.length === 3, 'its codes')],
    ['NumberOfAdults', /adult|^pax$|persons?|people|heads|erwachs/, number(1, 12, 'people')],
    ['NumberOfChildren', /^(?!.*price).*child|kinder/, number(0, 10, 'children')],
    ['NumberOfInfants', /infant|babies/, number(0, 6, 'infants')],
    ['StarRating', /star|category|kategorie|class|sterne|estrellas/, stars, { unnamed: stars }],
    ['ConsumerRating', /rating|score|review/, number(0, 10, 'ratings')],
    ['Latitude', /\blat/, number(-90, 90, 'degrees')],
    ['Longitude', /\b(?:lon|lng)/, number(-180, 180, 'degrees')],
    ['RoomTypeDescription', /room|zimmer|habitacion/, text],
    ['HotelFacilities', /facilit|amenit|ausstattung/, text],
    ['HotelDescription', /^(?:hotel|property) desc/, text],
    ['TransferIncluded', /transfer/, truth],
    ['InStock', /stock|available/, truth],
  ];
  return guesses.map(([field, names, steps, evidence]) => ({ field, names, steps, ...evidence }));
}

/** Columns that are called like UK airports, with a price in each. */
function proposeWide(
  fields: Record<string, unknown>,
  left: Set<SampleColumn>,
  reasons: Reason[],
  airports: readonly Airport[],
): void {
  const codes = new Set(airports.map(({ code }) => code));
  const wide = [...left].filter(({ name }) =>
    codes.has(/(?:^|[_ .])([A-Z]{3})$/.exec(String(name))?.[1] ?? ''),
  );
  const [first] = wide;
  if (first === undefined) return;
  for (const column of wide) left.delete(column);
  const columns = wide.map(({ name }) => name);
  const before = String(first.name).slice(0, -3);
  fields.TotalPrice = { columns };
  fields.DepartureAirportCode_Outbound = {
    headingOf: 'TotalPrice',
    ...(before !== '' && { pattern: `${before}{}` }),
  };
  reasons.push({
    what: 'TotalPrice',
    choice: `columns ${columns.join(', ')}`,
    why: 'they are called like UK airports',
  });
}

/** A price per person is multiplied by the people. */
function proposeTimes(fields: Record<string, unknown>, reasons: Reason[]): void {
  const { TotalPrice: price, NumberOfAdults: adults } = fields as Record<
    string,
    { column?: string | number } | undefined
  >;
  if (price?.column === undefined || !isPerPerson(String(price.column))) return;
  const times = adults?.column === undefined ? 2 : { column: adults.column };
  fields.TotalPrice = { ...price, times };
  reasons.push({
    what: 'TotalPrice',
    choice: `times ${typeof times === 'number' ? times : `column ${times.column}`}`,
    why: 'its name says that it is per person: check it',
  });
}
