import { choose, seededRandom } from './seeded-random.ts';

type Words = readonly [string, ...string[]];

interface Vocabulary {
  first: Words;
  second: Words;
}

/** Words typical of the language. The hotels are invented; any resemblance to a real one is a coincidence. */
const SPANISH: Vocabulary = {
  first: [
    'Brisa',
    'Marina',
    'Jardín',
    'Palmeral',
    'Mirador',
    'Arenal',
    'Cala',
    'Bahía',
    'Terraza',
    'Alcázar',
    'Faro',
    'Olivar',
  ],
  second: [
    'Dorada',
    'Serena',
    'del Alba',
    'de la Luna',
    'Azahar',
    'del Sur',
    'Coral',
    'de Levante',
    'Tranquila',
    'del Almendro',
    'de Plata',
    'Escondida',
  ],
};
const GREEK: Vocabulary = {
  first: [
    'Kyma',
    'Thalassa',
    'Meltemi',
    'Asteria',
    'Elaia',
    'Galini',
    'Anemos',
    'Phos',
    'Ilios',
    'Avra',
    'Selini',
    'Ammos',
  ],
  second: [
    'Bay',
    'Village',
    'Gardens',
    'Residence',
    'Terraces',
    'Sands',
    'House',
    'Court',
    'Suites',
    'Shore',
    'View',
    'Retreat',
  ],
};
const TURKISH: Vocabulary = {
  first: [
    'Deniz',
    'Yıldız',
    'Zeytin',
    'Mercan',
    'Kumsal',
    'Turunç',
    'Ege',
    'Nar',
    'Defne',
    'Liman',
    'Güneş',
    'Çınar',
  ],
  second: [
    'Garden',
    'Park',
    'Beach',
    'Palas',
    'Konak',
    'Bay',
    'Resort',
    'Suites',
    'Village',
    'Evi',
    'Terrace',
    'Cove',
  ],
};
const PORTUGUESE: Vocabulary = {
  first: [
    'Quinta',
    'Solar',
    'Praia',
    'Vila',
    'Falésia',
    'Varanda',
    'Ribeira',
    'Pinhal',
    'Encosta',
    'Torre',
    'Lagoa',
    'Figueira',
  ],
  second: [
    'do Mar',
    'da Ria',
    'das Ondas',
    'Dourada',
    'do Sol Nascente',
    'da Serra',
    'Branca',
    'dos Cedros',
    'do Poente',
    'Serena',
    'da Aurora',
    'Velha',
  ],
};
const ITALIAN: Vocabulary = {
  first: [
    'Villa',
    'Corte',
    'Palazzo',
    'Locanda',
    'Giardino',
    'Terrazza',
    'Borgo',
    'Riva',
    'Scogliera',
    'Pineta',
    'Loggia',
    'Baia',
  ],
  second: [
    'degli Ulivi',
    'del Sole',
    'dei Limoni',
    'Azzurra',
    'delle Rose',
    'Antica',
    'del Porto',
    'Serena',
    'della Luna',
    'dei Pini',
    'Fiorita',
    'del Vento',
  ],
};
const ENGLISH: Vocabulary = {
  first: [
    'Harbour',
    'Coral',
    'Lantern',
    'Palm Court',
    'Amber',
    'Lagoon',
    'Old Town',
    'Garden',
    'Seagrass',
    'Mariner',
    'Sundial',
    'Driftwood',
  ],
  second: [
    'House',
    'Resort',
    'Retreat',
    'Suites',
    'Lodge',
    'Terraces',
    'Place',
    'Bay',
    'Gardens',
    'Court',
    'Residence',
    'Quarters',
  ],
};
const FRENCH: Vocabulary = {
  first: [
    'Maison',
    'Villa',
    'Jardin',
    'Terrasse',
    'Riad',
    'Résidence',
    'Auberge',
    'Palais',
    'Domaine',
    'Cour',
    'Pavillon',
    'Bastide',
  ],
  second: [
    'des Oliviers',
    'du Soleil',
    'des Orangers',
    'Lumière',
    'de la Plage',
    'des Palmiers',
    'du Port',
    'Jasmin',
    'des Roses',
    'Azur',
    'du Vent',
    'Safran',
  ],
};
const SLAVIC: Vocabulary = {
  first: [
    'Jadran',
    'Lavanda',
    'Maslina',
    'Zora',
    'Perla',
    'Bura',
    'Vila',
    'Zlata',
    'Nevena',
    'Slavija',
    'Rosa',
    'Mirna',
  ],
  second: [
    'Park',
    'Palace',
    'Residence',
    'Bay',
    'Garden',
    'House',
    'Sands',
    'Court',
    'Suites',
    'View',
    'Terrace',
    'Grove',
  ],
};

const LANGUAGES: Readonly<Record<string, Vocabulary>> = {
  Spain: SPANISH,
  Mexico: SPANISH,
  'Dominican Republic': SPANISH,
  Greece: GREEK,
  Cyprus: GREEK,
  Turkey: TURKISH,
  Portugal: PORTUGUESE,
  'Cape Verde': PORTUGUESE,
  Italy: ITALIAN,
  Malta: ITALIAN,
  France: FRENCH,
  Morocco: FRENCH,
  Croatia: SLAVIC,
  Montenegro: SLAVIC,
  Bulgaria: SLAVIC,
  Czechia: SLAVIC,
};

/** Invents a hotel name that is not in `taken`, and adds it there. */
export function inventHotelName(
  country: string,
  resort: string,
  key: readonly number[],
  taken: Set<string>,
): string {
  const { first, second } = LANGUAGES[country] ?? ENGLISH;
  for (let attempt = 0; ; attempt += 1) {
    const plain = `${choose(first, seededRandom(attempt, ...key, 1))} ${choose(second, seededRandom(attempt, ...key, 2))}`;
    const name = [plain, `${plain} ${resort}`].find((each) => !taken.has(each));
    if (name === undefined) continue;
    taken.add(name);
    return name;
  }
}
