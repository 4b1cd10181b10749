import { useEffect, useMemo } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';

const modalCode = lazyCode('alert form', () => import('./AlertModal.tsx'));

/** Whether this site has a service for price alerts. */
export function offersAlerts(config: PageConfig): boolean {
  return config.conversationEndpoint !== null;
}

/** A card's 'Set up price alerts' button (Section 2). Hovering or focusing it preloads the modal's code. */
export function PriceAlertsButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <button
      type="button"
      className="button-quiet"
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerEnter={modalCode.preload}
      onFocus={modalCode.preload}
    >
      Set up price alerts
      <span className="visually-hidden"> for {hotelName}</span>
    </button>
  );
}

/** A package that the visitor wants to watch, and the price below which alerts are wanted, in whole pounds. */
export interface Watched {
  holiday: PackageHoliday;
  /** Omitted: for every drop. */
  below?: number;
}

interface PriceAlertsProps {
  watched: Watched | null;
  config: PageConfig;
  onClose(): void;
}

/** The modal for the package that the visitor wants to watch, if there is one. */
export function PriceAlerts({ watched, config, onClose }: PriceAlertsProps) {
  const { conversationEndpoint, whatsappChannelId, brandName, emailAlerts, webPushKey } = config;
  const channel = useMemo(
    () => ({ endpoint: conversationEndpoint ?? '', channelId: whatsappChannelId ?? '' }),
    [conversationEndpoint, whatsappChannelId],
  );
  const modal = useLazyCode(modalCode);
  const isWanted = watched !== null;
  useEffect(() => {
    if (isWanted) modalCode.preload();
  }, [isWanted]);
  if (watched === null) return null;
  if (modal.status === 'stored') {
    const { AlertModal } = modal.code;
    const ways = { email: emailAlerts, webPushKey };
    return <AlertModal {...watched} channel={channel} brandName={brandName} ways={ways} onClose={onClose} />;
  }
  if (modal.status !== 'failed') return null;
  return (
    <p className="alerts-failed" role="alert">
      The alert form could not be loaded.{' '}
      <button type="button" className="link-button" onClick={modalCode.preload}>
        Try again
      </button>
    </p>
  );
}
