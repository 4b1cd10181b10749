import { useMemo } from 'react';
import { type Airport, airportName } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
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
  /** The URL of the search that found the package. */
  searchUrl: string;
  onClose(): void;
}

/** The modal for the package to watch, if there is one. */
export function PriceAlerts({ watched, airports, config, searchUrl, onClose }: PriceAlertsProps) {
  const { conversationEndpoint, whatsappChannelId, emailAlerts, webPushKey } = config;
  const channel = useMemo(
    () => ({ endpoint: conversationEndpoint ?? '', channelId: whatsappChannelId ?? '' }),
    [conversationEndpoint, whatsappChannelId],
  );
  const ways = { email: emailAlerts, webPushKey };
  return (
    watched && (
      <AlertModal
        {...watched}
        airport={airportName(airports, watched.holiday.FlightDetails.Outbound.DepartureAirportCode)}
        searchUrl={searchUrl}
        channel={channel}
        brandName={config.brandName}
        needsYes={config.alertsNeedYes}
        ways={ways}
        onClose={onClose}
      />
    )
  );
}
