import { useState } from 'react';
import { HOTEL_PLACEHOLDER_IMAGE } from '../../domain/package-holiday.ts';

/** A hotel's first image (Section 2), or the placeholder where there is none or it does not load. */
export function HotelImage({ images }: { images: readonly string[] }) {
  const [broken, setBroken] = useState<string | null>(null);
  const first = images[0] ?? HOTEL_PLACEHOLDER_IMAGE;
  const source = first === broken ? HOTEL_PLACEHOLDER_IMAGE : first;
  return (
    <div className="holiday-image">
      <img
        src={source}
        alt=""
        width={480}
        height={360}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(source)}
      />
    </div>
  );
}
