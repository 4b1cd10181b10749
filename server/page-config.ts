import type { BrandColours } from '../domain/brand-colours.ts';
import type { OtherNames } from '../domain/other-names.ts';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import type { HolidayProvider } from './feed/holiday-providers.ts';
import type { ReferenceData } from './inventory/inventory.ts';
import type { Brand } from './page/brand-folder.ts';

/** What the page is told at its start: `/config.json` (docs/contracts/config.md lists its names). */
export interface PageConfig {
  searchEndpoint: string;
  searchApiKey: string;
  conversationEndpoint: string | null;
  locationsUrl: string;
  departureAirportsUrl: string;
  /** What places of the list are also called, by the name that it has. */
  otherNames: OtherNames;
  brandName: string;
  brandCode: string;
  brandLogoUrl: string | null;
  brandColours: BrandColours | null;
  footerText: string | null;
  providerName: string;
  providerUrl: string;
  providers: Record<string, { name: string; logoUrl: string | null; atol: string | null }>;
  whatsappChannelId: string | null;
  priceAnalysisUrl: string | null;
  /** Where a click through to a provider is told, without a word of who; null: nowhere. */
  visitsEndpoint: string | null;
  /** Where the page tells how quick it was, without a word of who; null: nowhere. */
  vitalsEndpoint: string | null;
  /** Whether the search service answers `cheapestDates`: the page then shows the days around. */
  cheapestDates: boolean;
  /** True while the inventory is invented, which the page then says. */
  sampleInventory: boolean;
}

/** The settings that the page's configuration is made of. */
export interface PageSetting {
  searchApiKey: string;
  brandName: string;
  brandCode: string;
  providerName: string;
  providerUrl: string;
  sampleInventory: boolean;
  priceAnalysisUrl: string | null;
  brand: Pick<Brand, 'logo' | 'colours' | 'footerText'>;
}

/** `otherNames` are those of places. `known` is what the operator says of providers. `alerts` is null where nobody can ask for them. */
export function buildPageConfig(
  setting: PageSetting & { measuresVitals: boolean; otherNames: OtherNames },
  providers: ReferenceData['providers'],
  known: readonly HolidayProvider[],
  alerts: Pick<AlertsConfig, 'conversationEndpoint' | 'channelId'> | null,
): PageConfig {
  return {
    searchEndpoint: '/graphql',
    searchApiKey: setting.searchApiKey,
    conversationEndpoint: alerts?.conversationEndpoint ?? null,
    locationsUrl: '/data/locations.csv',
    departureAirportsUrl: '/data/departure-airports.csv',
    otherNames: setting.otherNames,
    brandName: setting.brandName,
    brandCode: setting.brandCode,
    brandLogoUrl: setting.brand.logo?.url ?? null,
    brandColours: setting.brand.colours,
    footerText: setting.brand.footerText,
    providerName: setting.providerName,
    providerUrl: setting.providerUrl,
    providers: Object.fromEntries(
      providers.map(({ code, name }) => {
        const { logoUrl = null, atol = null } = known.find((one) => one.code === code) ?? {};
        return [code, { name, logoUrl, atol }];
      }),
    ),
    whatsappChannelId: alerts?.channelId ?? null,
    priceAnalysisUrl: setting.priceAnalysisUrl,
    visitsEndpoint: '/visits',
    vitalsEndpoint: setting.measuresVitals ? '/vitals' : null,
    cheapestDates: true,
    sampleInventory: setting.sampleInventory,
  };
}
