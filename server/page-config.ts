import type { OtherNames } from '../domain/other-names.ts';
import type { Party } from '../domain/party.ts';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import type { HolidayProvider } from './feed/map/holiday-providers.ts';
import type { Catalogue } from './inventory/catalogue.ts';
import type { Brand, FooterLink } from './page/brand-folder.ts';
import type { Operator } from './page/operator.ts';

/** The page's runtime configuration, `/config.json` (docs/contracts/config.md). */
export type PageConfig = ReturnType<typeof buildPageConfig>;

/** The server's settings from which `buildPageConfig` makes the page's configuration. */
export interface PageSetting {
  searchApiKey: string;
  brandName: string;
  brandCode: string;
  providerName: string;
  providerUrl: string | null;
  operator: Pick<Operator, 'email'>;
  sampleInventory: boolean;
  priceAnalysisUrl: string | null;
  mapTiles: string | null;
  mapAttribution: string | null;
  brand: Pick<Brand, 'logo' | 'colours' | 'footerText' | 'footerLinks' | 'otherNames'>;
}

/** The alerts' settings that the page needs. */
export type AlertsOffer = Pick<
  AlertsConfig,
  'conversationEndpoint' | 'channelId' | 'confirmation' | 'email' | 'ntfy'
> & {
  webPushKey: string | null;
};

/** `known` has the operator's settings of providers. `alerts` is null if there are no alerts. */
export function buildPageConfig(
  setting: PageSetting & {
    otherNames: OtherNames;
    parties: readonly Party[];
    priceRecordRoot: string | null;
  },
  { providers, standings }: Pick<Catalogue, 'providers' | 'standings'>,
  known: readonly HolidayProvider[],
  alerts: AlertsOffer | null,
) {
  return {
    searchEndpoint: '/graphql',
    searchApiKey: setting.searchApiKey,
    conversationEndpoint: alerts?.conversationEndpoint ?? null,
    locationsUrl: '/data/locations.csv',
    departureAirportsUrl: '/data/departure-airports.csv',
    /** Alternative names of places, by the names in the list of locations. */
    otherNames: setting.otherNames,
    brandName: setting.brandName,
    brandCode: setting.brandCode,
    brandLogoUrl: setting.brand.logo?.url ?? null,
    brandColours: setting.brand.colours,
    footerText: setting.brand.footerText,
    footerLinks: setting.brand.footerLinks ?? defaultFooterLinks(setting.operator.email),
    providerName: setting.providerName,
    providerUrl: setting.providerUrl,
    providers: Object.fromEntries(
      [...providers.values()].map(({ code, name }) => {
        const { logoUrl = null, atol = null, priceCheck } = known.find((one) => one.code === code) ?? {};
        const priceCheckUrl = priceCheck || setting.sampleInventory ? '/visits/check' : null;
        return [code, { name, logoUrl, atol, priceCheckUrl, oftenDearer: standings.get(code) === 'marked' }];
      }),
    ),
    whatsappChannelId: alerts?.channelId ?? null,
    /** Whether a WhatsApp alert starts only after a YES from its number. */
    alertsNeedYes: alerts?.confirmation !== 'none',
    /** Whether alerts by email are offered too. A conversation service on another host supports only WhatsApp. */
    searchAlerts: alerts?.conversationEndpoint === '',
    emailAlerts: alerts?.conversationEndpoint === '' && alerts.email !== null,
    ntfyAlerts: alerts?.conversationEndpoint === '' && alerts.ntfy !== null,
    /** The key for browsers' push subscriptions. Null: the page does not offer web push. */
    webPushKey: alerts?.conversationEndpoint === '' ? alerts.webPushKey : null,
    priceAnalysisUrl: setting.priceAnalysisUrl,
    /** The operator's raster tiles for maps. Null: the page's own coasts. */
    mapTiles: mapTilesOf(setting),
    /** Where the page reports click-throughs, anonymously. Null: it does not. */
    visitsEndpoint: '/visits',
    /** Where the page reports Web Vitals, anonymously. */
    vitalsEndpoint: '/vitals',
    /** Whether the search service has `cheapestDates`, for prices on neighbouring dates. */
    cheapestDates: true,
    /** The parties that packages are sold to, smallest first. */
    parties: setting.parties,
    /** Whether the search service has `priceHistory`, for each card's price plot. */
    priceHistory: setting.priceAnalysisUrl !== null,
    /** Whether the search service has `priceCalendar`, for prices in the calendar. */
    priceCalendar: true,
    /** Whether the search service has `explore`. */
    explore: true,
    /** Whether hotels have pages on this host (docs/contracts/hotel-address.md). */
    hotelPages: true,
    /** Whether the search service accepts further filters (`refine`) and returns `facets`. */
    facets: true,
    /** Whether the inventory is invented. If so, the page says so. */
    sampleInventory: setting.sampleInventory,
    /** The newest root of the price record, for the page's foot. Null: none yet. */
    priceRecordRoot: setting.priceRecordRoot,
  };
}

export function mapTilesOf({ mapTiles, mapAttribution }: Pick<PageSetting, 'mapTiles' | 'mapAttribution'>) {
  return mapTiles === null ? null : { url: mapTiles, attribution: mapAttribution ?? '' };
}

/** `email` is the site's contact. Null: the page shows no contact link. */
function defaultFooterLinks(email: string | null): FooterLink[] {
  return [
    { text: 'Privacy', url: '/privacy' },
    { text: 'Terms', url: '/terms' },
    { text: 'How we price', url: '/how-we-price' },
    ...(email === null ? [] : [{ text: 'Contact', url: `mailto:${email}` }]),
  ];
}
