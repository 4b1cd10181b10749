import { foldText } from './fold-text.ts';

export type PlaceKind =
  | 'coast'
  | 'island'
  | 'tropical'
  | 'city'
  | 'mountains'
  | 'lake'
  | 'desert'
  | 'countryside';

/** Folded words and names that show what kind of place it is. The first match counts. */
const KEYWORDS: readonly (readonly [PlaceKind, RegExp])[] = [
  [
    'mountains',
    /\b(mountains?|alps|alpine|tyrol|tirol|dolomites|pyrenees|tatras?|ski|andorra|bansko|borovets|pamporovo|zermatt|verbier|davos|chamonix|morzine|meribel|courchevel|tignes|val disere|les gets|kitzbuhel|mayrhofen|livigno|cervinia|zakopane)\b/,
  ],
  ['lake', /\b(lakes?|lago|lac|bled|como|maggiore|wolfgangsee)\b/],
  [
    'desert',
    /\b(desert|sahara|dunes|oasis|marrakech|ouarzazate|merzouga|luxor|aswan|cairo|wadi|petra|tozeur|douz)\b/,
  ],
  ['coast', /\b(coast|beach|bay|costa|riviera|playa|praia|plage|cala|lido|marina|sands|seaside)\b/],
  [
    'city',
    /\b(city|downtown|barcelona|madrid|seville|granada|valencia|malaga|alicante|lisbon|porto|rome|florence|venice|milan|naples|bologna|turin|verona|pisa|paris|lyon|athens|thessaloniki|istanbul|prague|budapest|vienna|salzburg|krakow|warsaw|gdansk|berlin|munich|hamburg|amsterdam|bruges|brussels|copenhagen|stockholm|oslo|helsinki|tallinn|riga|vilnius|dubrovnik|split|zagreb|ljubljana|dublin|edinburgh|london|york|bath|new york|boston|chicago|miami|las vegas|san francisco|orlando|dubai|abu dhabi|singapore|hong kong|bangkok|tokyo)\b/,
  ],
  [
    'countryside',
    /\b(countryside|rural|hills|valley|tuscany|umbria|chianti|provence|dordogne|loire|alentejo|douro|burgundy|cotswolds|istria|puglia)\b/,
  ],
  [
    'island',
    /\b(islands?|isles?|isla|isola|ile|majorca|mallorca|menorca|ibiza|formentera|tenerife|gran canaria|lanzarote|fuerteventura|la palma|gomera|madeira|azores|malta|gozo|crete|rhodes|corfu|kos|zante|zakynthos|kefalonia|santorini|mykonos|naxos|paros|lefkas|skiathos|skopelos|samos|lesbos|thassos|sicily|sardinia|corsica|capri|ischia|elba|hvar|brac|korcula)\b/,
  ],
];

/** Countries whose coast is tropical. */
const TROPICAL =
  /\b(mexico|jamaica|barbados|cuba|aruba|bahamas|antigua|grenada|st lucia|saint lucia|trinidad|dominican republic|costa rica|cape verde|gambia|zanzibar|maldives|mauritius|seychelles|sri lanka|thailand|indonesia|malaysia|vietnam|philippines|fiji)\b/;

/**
 * The kind of place that a resort is, from its own name, else its region's, else its country's. The default
 * is a coast, where most package holidays go.
 */
export function placeKind(country: string, region: string, resort: string): PlaceKind {
  const kind = kindOfName(resort) ?? kindOfName(region);
  if (kind !== null && kind !== 'coast') return kind;
  if (TROPICAL.test(foldText(country))) return 'tropical';
  return kind ?? kindOfName(country) ?? 'coast';
}

function kindOfName(name: string): PlaceKind | null {
  const folded = foldText(name);
  return KEYWORDS.find(([, words]) => words.test(folded))?.[0] ?? null;
}
