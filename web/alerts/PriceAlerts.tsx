import { lazy, Suspense, useMemo } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';

const loadModal = () => import('./AlertModal.tsx');
const AlertModal = lazy(() => loadModal().then((module) => ({ default: module.AlertModal })));

/** Whether this site has a service that alerts can be asked of. */
export function canAskForAlerts(config: PageConfig): boolean {
  return config.conversationEndpoint !== null;
}

/** 'Set up price alerts' of one card (Section 2). The modal's code is fetched as soon as it is likely wanted. */
export function PriceAlertsButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <button
      type="button"
      className="button-quiet"
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerEnter={() => void loadModal()}
      onFocus={() => void loadModal()}
    >
      Set up price alerts
      <span className="visually-hidden"> for {hotelName}</span>
    </button>
  );
}

/** The modal for the package that the visitor asked to watch; nothing where there is none. */
export function PriceAlerts({
  holiday,
  config,
  onClose,
}: {
  holiday: PackageHoliday | null;
  config: PageConfig;
  onClose(): void;
}) {
  const { conversationEndpoint, whatsappChannelId, brandName } = config;
  const channel = useMemo(
    () => ({ endpoint: conversationEndpoint ?? '', channelId: whatsappChannelId ?? '' }),
    [conversationEndpoint, whatsappChannelId],
  );
  if (holiday === null) return null;
  return (
    <Suspense>
      <AlertModal holiday={holiday} channel={channel} brandName={brandName} onClose={onClose} />
    </Suspense>
  );
}
