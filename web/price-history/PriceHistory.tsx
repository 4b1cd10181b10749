import { useEffect } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';

const modalCode = lazyCode('price history', () => import('./PriceHistoryModal.tsx'));

/** Opens the price history of a card. Hovering or focusing it preloads the code. */
export function PriceHistoryButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <button
      type="button"
      className="link-button"
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerEnter={modalCode.preload}
      onFocus={modalCode.preload}
    >
      Price history<span className="visually-hidden"> of {hotelName}</span>
    </button>
  );
}

interface PriceHistoryProps {
  holiday: PackageHoliday | null;
  config: PageConfig;
  onLimit: ((below: number) => void) | undefined;
  onClose(): void;
}

/** The history of the package whose prices the visitor wants to see, if there is one. */
export function PriceHistory({ holiday, config, onLimit, onClose }: PriceHistoryProps) {
  const modal = useLazyCode(modalCode);
  const isWanted = holiday !== null;
  useEffect(() => {
    if (isWanted) modalCode.preload();
  }, [isWanted]);
  if (holiday === null) return null;
  if (modal.status === 'stored') {
    const { PriceHistoryModal } = modal.code;
    return <PriceHistoryModal holiday={holiday} search={config} onLimit={onLimit} onClose={onClose} />;
  }
  if (modal.status !== 'failed') return null;
  return (
    <p className="alerts-failed" role="alert">
      The price history could not be loaded.{' '}
      <button type="button" className="link-button" onClick={modalCode.preload}>
        Try again
      </button>
    </p>
  );
}
