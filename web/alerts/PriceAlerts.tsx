import { useMemo } from 'react';
import { type Airport, airportName } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { toSearchUrl } from '../search/search-url.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { lazyCode } from '../ui/lazy-part.tsx';

const modalCode = lazyCode(() => import('./AlertModal.tsx'));
const AlertModal = modalCode.part((code) => code.AlertModal);

/** Whether the site offers price alerts. */
export function offersAlerts(config: PageConfig): boolean {
  return config.conversationEndpoint !== null;
}

/** A card's 'Set up price alerts' button (Section 2). */
export function PriceAlertsButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <DialogOpener code={modalCode} className="button-quiet" onOpen={onOpen}>
      <span>Set up price alerts</span>
      <span className="visually-hidden">{` for ${hotelName}`}</span>
    </DialogOpener>
  );
}

/** The package to watch. */
export interface Watched {
  holiday: PackageHoliday;
  /** In whole pounds. If set, only a price below it causes an alert; otherwise, every drop does. */
  below?: number;
}

interface PriceAlertsProps {
  watched: Watched | null;
  airports: readonly Airport[];
  config: PageConfig;
  onClose(): void;
}

/** The modal for the package to watch, if there is one. */
export function PriceAlerts({ watched, airports, config, onClose }: PriceAlertsProps) {
  const { conversationEndpoint, whatsappChannelId, emailAlerts, webPushKey } = config;
  const channel = useMemo(
    () => ({ endpoint: conversationEndpoint ?? '', channelId: whatsappChannelId ?? '' }),
    [conversationEndpoint, whatsappChannelId],
  );
  const ways = { email: emailAlerts, webPushKey };
  const { state } = useSearchContext();
  return (
    watched && (
      <AlertModal
        {...watched}
        airport={airportName(airports, watched.holiday.FlightDetails.Outbound.DepartureAirportCode)}
        searchUrl={toSearchUrl(currentSearch(state))}
        channel={channel}
        brandName={config.brandName}
        needsYes={config.alertsNeedYes}
        ways={ways}
        onClose={onClose}
      />
    )
  );
}
