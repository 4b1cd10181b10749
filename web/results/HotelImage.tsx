import { useState } from 'react';
import { ANY_PLACE_PICTURE } from '../../domain/place-picture.ts';

/** A hotel's first image (Section 2), or a drawing if it is missing or fails to load. Decorative. */
export function HotelImage({ images }: { images: readonly string[] }) {
  const [broken, setBroken] = useState<string | null>(null);
  const first = images[0] ?? ANY_PLACE_PICTURE;
  const source = first === broken ? ANY_PLACE_PICTURE : first;
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
