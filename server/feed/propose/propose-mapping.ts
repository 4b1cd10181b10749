import type { Airport } from '../../../domain/airport.ts';
import { BOARD_BASIS } from '../../../domain/board-basis.ts';
import type { Destination } from '../../../domain/destination.ts';
import { foldText } from '../../../domain/fold-text.ts';
import { readDay } from '../formats/flat-item.ts';
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
const BOARDS: Readonly<Record<string, readonly string[]>> = {
  AI: ['all inclusive', 'allinclusive', 'alles inklusive', 'todo incluido', 'tout compris', 'ti', 'tc'],
  FB: ['full board', 'vollpension', 'pension completa', 'pension complete', 'vp', 'pc'],
  HB: ['half board', 'halbpension', 'media pension', 'demi pension', 'hp', 'mp', 'dp'],
  BB: [
    'bed and breakfast',
    'bed breakfast',
    'breakfast',
    'fruhstuck',
    'ubernachtung fruhstuck',
    'desayuno',
    'petit dejeuner',
    'b b',
    'uf',
    'ad',
  ],
  SC: ['self catering', 'selbstverpflegung', 'sv'],
  RO: ['room only', 'nur ubernachtung', 'solo alojamiento', 'ue', 'sa', 'ep'],
};

const DATE_FORMS = [
  'YYYY-MM-DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD.MM.YYYY',
  'DD-MM-YYYY',
  'YYYYMMDD',
  'YYYY/MM/DD',
  'D/M/YYYY',
  'D MMM YYYY',
  'D MMMM YYYY',
  'DD-MMM-YYYY',
  'DD/MM/YY',
  'YYYY-MM-DD HH:mm:ss',
  'YYYY-MM-DD HH:mm',
  'DD/MM/YYYY HH:mm',
  'excel',
  'epoch-days',
  'epoch-seconds',
  'epoch-milliseconds',
];

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
    missing: NEEDED.filter(
      (field) => fields[field] === undefined && !(field === 'Duration' && fields.ReturnDate),
    ),
    hosts,
  };
}

const NEEDED = [
  'TotalPrice',
  'HolidayCountry',
  'HolidayResort',
  'HotelName',
  'DepartureDate',
  'Duration',
  'DepartureAirportCode_Outbound',
  'DeeplinkUrl',
];

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

function guessesOf({ airports, destinations, today }: Lists): Guess[] {
  const listed = (level: 'country' | 'region' | 'resort') => {
    const names = new Set(destinations.map((place) => foldText(place[level])));
    return (values: readonly string[]) =>
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
  const text = (values: readonly string[]) =>
    values.some((value) => /\p{L}{2}/u.test(value)) && !values.some((value) => value.includes('://'))
      ? { steps: {}, why: 'its texts' }
      : null;
  const number = (least: number, most: number, what: string) => (values: readonly string[]) => {
    const form = NUMBER_FORMS.find((one) =>
      values.every((value) => {
        const read = readNumberForm(value, one);
        return read !== null && Number(read) >= least && Number(read) <= most && !/\.\d{3}$/.test(read);
      }),
    );
    return form === undefined
      ? null
      : { steps: form === '1234.56' ? {} : { number: form }, why: `its numbers are ${what} (${form})` };
  };
  const price = (values: readonly string[]) => number(30, 50_000, 'amounts')(values);
  const nights = number(1, 60, 'nights');
  const departure = (values: readonly string[]) => {
    if (values.every((value) => codes.has(value.toUpperCase())))
      return { steps: {}, why: 'its values are UK airports' };
    const separator = /[^A-Za-z\s]/.exec(
      values.find((value) => /^[A-Z]{3}\W+[A-Z]{3}/.test(value)) ?? '',
    )?.[0];
    if (
      separator !== undefined &&
      values.every((value) => value.split(separator).every((part) => codes.has(part.trim())))
    )
      return { steps: { split: separator }, why: `its values are lists of UK airports` };
    const named = [...new Set(values)].map((value) => [value, byName.get(foldText(value))] as const);
    return named.every(([, code]) => code !== undefined)
      ? { steps: { values: Object.fromEntries(named) }, why: 'its values are names of UK airports' }
      : null;
  };
  const day = (values: readonly string[]) => {
    const days = [...new Set(values)];
    for (const form of DATE_FORMS) {
      const read = dateReader(form);
      if (
        !days.every((value) => {
          const day = readDay(read(value) ?? '');
          return day !== null && day > today && day < `${Number(today.slice(0, 4)) + 3}`;
        })
      )
        continue;
      return { steps: form === 'YYYY-MM-DD' ? {} : { date: form }, why: `its days are written ${form}` };
    }
    return days.every((value) => (readDay(value) ?? '') > today)
      ? { steps: {}, why: 'its days are in ISO 8601' }
      : null;
  };
  const board = (values: readonly string[]) => {
    const words = [...new Set(values)];
    if (words.every((word) => Object.hasOwn(BOARD_BASIS, word.toUpperCase())))
      return { steps: {}, why: 'its codes are known' };
    const found = words.map((word) => {
      const [code] =
        Object.entries(BOARDS).find(
          ([own, others]) => own === word.toUpperCase() || others.includes(foldText(word)),
        ) ?? [];
      return [word, code] as const;
    });
    if (found.every(([, code]) => code === undefined))
      return words.every((word) => word.length <= 30)
        ? { steps: { values: {}, otherwise: 'omit' }, why: 'none of its words is known: give their codes' }
        : null;
    const values_ = Object.fromEntries(found.filter(([, code]) => code !== undefined));
    const unknown = found.flatMap(([word, code]) => (code === undefined ? [word] : []));
    return {
      steps: { values: values_, ...(unknown.length > 0 && { otherwise: 'omit' }) },
      why: `most of its words are known${unknown.length > 0 ? ` (not ${unknown.slice(0, 5).join(', ')})` : ''}`,
    };
  };
  const isBoard = (value: string) => Object.hasOwn(BOARD_BASIS, value.toUpperCase());
  const arrival = (values: readonly string[]) =>
    values.every((value) => /^[A-Z]{3}$/.test(value) && !codes.has(value))
      ? { steps: {}, why: 'its values are airports abroad' }
      : null;
  const link = (values: readonly string[]) =>
    values.every((value) => /^https?:\/\//i.test(value)) ? { steps: {}, why: 'its values are links' } : null;
  const images = /image|photo|picture|img|bild/;
  return [
    {
      field: 'DeeplinkUrl',
      names: /^(?!.*(?:image|photo|picture|img|logo)).*(?:deep ?link|url|link)/,
      steps: link,
      tell: link,
    },
    { field: 'HotelImages', names: images, steps: link },
    {
      field: 'HotelIdentifierCode',
      names:
        /^(?:hid|id|code|hotel ?(?:id|code|ref|no|key)|property ?(?:id|code)|giata.*|merchant product id)$/,
      steps: (values) =>
        values.every((value) => value.length <= 60) ? { steps: {}, why: 'its short texts' } : null,
    },
    {
      field: 'HotelName',
      names:
        /^(?:hotel ?name|hotel|property(?: name)?|accommodation(?: name)?|unterkunft|name|title|hotelname)$/,
      steps: text,
      unnamed: text,
    },
    {
      field: 'HolidayCountry',
      names: /country|land$|^pais$|^pays$|^country code$/,
      steps: text,
      tell: listed('country'),
    },
    {
      field: 'HolidayRegion',
      names: /region|destination|area|province|island|zielgebiet/,
      steps: text,
      tell: listed('region'),
    },
    {
      field: 'HolidayResort',
      names: /resort|city|town|location|^ort$|place|ciudad|ville/,
      steps: text,
      tell: listed('resort'),
    },
    {
      field: 'DepartureAirportCode_Outbound',
      names: /^(?:from|dep.*|origin.*|.*departure.*|airports?|abflug.*|.*from)$/,
      steps: departure,
      tell: departure,
    },
    {
      field: 'ArrivalAirportCode_Outbound',
      names: /^(?:to|arr.*|dest.*|.*arrival.*|ziel.*|airport to)$/,
      steps: arrival,
      tell: arrival,
    },
    { field: 'ReturnDate', names: /return|inbound.*date|check ?out|end ?date|ruck|bis$/, steps: day },
    {
      field: 'DepartureDate',
      names: /dep|date|start|travel|outbound|abreise|von$|fecha|check ?in/,
      steps: day,
      tell: day,
    },
    {
      field: 'Duration',
      names: /night|nacht|noches|nuits|dur|los|stay/,
      steps: nights,
      unnamed: (values) => (values.includes('7') ? nights(values) : null),
    },
    {
      field: 'Duration',
      names: /days|tage|dias|jours/,
      steps: (values) =>
        number(2, 61, 'days')(values) && {
          steps: {
            values: Object.fromEntries([...new Set(values)].map((value) => [value, Number(value) - 1])),
          },
          why: 'it counts days, one more than nights',
        },
    },
    {
      field: 'BoardBasis',
      names: /board|meal|verpflegung|regimen|pension|basis|catering/,
      steps: board,
      tell: (values) => (values.every((value) => isBoard(value)) ? board(values) : null),
    },
    {
      field: 'TotalPriceBeforeDiscount',
      names: /(?:price|cost).*(?:was|before|old)|(?:was|old|rrp|before|full|list).*(?:price|cost)|^rrp|^was$/,
      steps: price,
    },
    {
      field: 'TotalPrice',
      names: /price|cost|total|amount|preis|precio|prix|each|^pp$/,
      steps: price,
      unnamed: number(100, 50_000, 'amounts'),
    },
    {
      field: 'Currency',
      names: /curr|wahrung|devise|moneda/,
      steps: (values) =>
        values.every((value) => value.length === 3) ? { steps: {}, why: 'its codes' } : null,
    },
    {
      field: 'NumberOfAdults',
      names: /adult|^pax$|persons?|people|heads|erwachs/,
      steps: number(1, 12, 'people'),
    },
    { field: 'NumberOfChildren', names: /^(?!.*price).*child|kinder/, steps: number(0, 10, 'children') },
    { field: 'NumberOfInfants', names: /infant|babies/, steps: number(0, 6, 'infants') },
    {
      field: 'StarRating',
      names: /star|category|kategorie|class|sterne|estrellas/,
      steps: number(0.5, 5, 'stars'),
      unnamed: number(0.5, 5, 'stars'),
    },
    { field: 'ConsumerRating', names: /rating|score|review/, steps: number(0, 10, 'ratings') },
    { field: 'Latitude', names: /\blat/, steps: number(-90, 90, 'degrees') },
    { field: 'Longitude', names: /\b(?:lon|lng)/, steps: number(-180, 180, 'degrees') },
    { field: 'RoomTypeDescription', names: /room|zimmer|habitacion/, steps: text },
    {
      field: 'InStock',
      names: /stock|available/,
      steps: (values) =>
        values.every((value) => /^(?:[01yn]|true|false|yes|no)$/i.test(value))
          ? { steps: {}, why: 'its values are yes or no' }
          : null,
    },
  ];
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
