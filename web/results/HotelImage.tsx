import { useEffect, useState } from 'react';
import { afterInteraction } from '../ui/after-interaction.ts';
import { toolsCode } from './tools-code.ts';

const PhotoStrip = toolsCode.part((code) => code.PhotoStrip);

interface HotelImageProps {
  /** The paths of photos on `origin`. Any other path shows `drawing`. */
  images: readonly string[];
  drawing: string;
  origin: string;
}

/** A hotel's first image (Section 2) with its further photos, or the drawing of its place. Decorative. */
export function HotelImage({ images, drawing, origin }: HotelImageProps) {
  const hasMore = images.length > 1;
  // Until the first interaction, the first photo is enough.
  const [wantsMore, setWantsMore] = useState(false);
  useEffect(() => (hasMore ? afterInteraction(() => setWantsMore(true)) : undefined), [hasMore]);
  const [first = ''] = images;
  const isPhoto = first.startsWith('/photos?');
  const photo = (path: string) => <Photo key={path} url={isPhoto ? origin + path : null} drawing={drawing} />;
  return (
    <div className="holiday-image">
      {hasMore && wantsMore ? (
        <PhotoStrip images={images} photo={photo} fallback={photo(first)} />
      ) : (
        photo(first)
      )}
    </div>
  );
}

/** `url`: null for the drawing, which also replaces a photo that fails to load. */
function Photo({ url, drawing }: { url: string | null; drawing: string }) {
  const [isBroken, setBroken] = useState(false);
  const source = isBroken || url === null ? null : url;
  return (
    <img
      src={source ?? drawing}
      srcSet={source === null ? undefined : [320, 640, 960].map((w) => `${source}&w=${w} ${w}w`).join()}
      sizes="(max-width: 48rem) 6rem, 13rem"
      alt=""
      width={480}
      height={360}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
