import { useMemo } from 'react';
import { type Airport, airportName } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { lazyCode } from '../ui/lazy-part.tsx';
import type { AlertSubject } from './alert-subject.ts';

/** The forms of alerts, loaded when a visitor opens one. */
export const alertCode = lazyCode(() => import('./AlertModal.tsx'));

const AlertModal = alertCode.part((code) => code.AlertModal);

/** The modal for a search to watch. */
export const SearchAlert = alertCode.part((code) => code.SearchAlert);

/** Whether the site offers price alerts. */
export function offersAlerts(config: PageConfig): boolean {
  return config.conversationEndpoint !== null;
}

/** A card's 'Set up price alerts' button (Section 2). */
export function PriceAlertsButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <DialogOpener code={alertCode} className="button-quiet" onOpen={onOpen}>
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
  const subject = useMemo((): AlertSubject | null => {
    const code = watched?.holiday.FlightDetails.Outbound.DepartureAirportCode ?? '';
    return watched && { kind: 'package', ...watched, airport: airportName(airports, code), searchUrl };
  }, [watched, airports, searchUrl]);
  return subject && <AlertModal subject={subject} config={config} onClose={onClose} />;
}
