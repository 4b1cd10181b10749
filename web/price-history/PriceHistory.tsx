import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PageConfig } from '../config/page-config.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { lazyCode } from '../ui/lazy-part.tsx';

const modalCode = lazyCode(() => import('./PriceHistoryModal.tsx'));
const PriceHistoryModal = modalCode.part((code) => code.PriceHistoryModal);

/** Opens a card's price history. */
export function PriceHistoryButton({ hotelName, onOpen }: { hotelName: string; onOpen(): void }) {
  return (
    <DialogOpener code={modalCode} className="link-button" onOpen={onOpen}>
      <span>Price history</span>
      <span className="visually-hidden">{` of ${hotelName}`}</span>
    </DialogOpener>
  );
}

interface PriceHistoryProps {
  holiday: PackageHoliday | null;
  config: PageConfig;
  onLimit: ((below: number) => void) | undefined;
  onClose(): void;
}

/** The modal for the package whose prices the visitor opened, if there is one. */
export function PriceHistory({ holiday, config, onLimit, onClose }: PriceHistoryProps) {
  return (
    holiday && <PriceHistoryModal holiday={holiday} service={config} onLimit={onLimit} onClose={onClose} />
  );
}
