import { readFile } from 'node:fs/promises';

/** The widths in pixels, and the shape of the card's picture. */
export const PHOTO_WIDTHS = [320, 640, 960] as const;
const HEIGHT_PART = 3 / 4;

/** A larger picture is refused before it is decoded. */
const MAX_PIXELS = 40_000_000;
const MAX_DECODE_SECONDS = 10;

export type PhotoType = 'webp' | 'jpeg';
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

/** Whether a file begins like a JPEG, PNG, WebP or AVIF. No other types are decoded. */
function isPhoto(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 12);
  return (
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    (text.startsWith('RIFF') && text.endsWith('WEBP')) ||
    /^.{4}ftypavi[fs]$/s.test(text)
  );
}

/** Scales a file to all widths, without its metadata. Throws if it is no photo, damaged or too large. */
export async function photoImages(path: string, type: PhotoType): Promise<Map<PhotoWidth, Buffer>> {
  const bytes = await readFile(path);
  if (!isPhoto(bytes)) throw new Error('The file is not a JPEG, PNG, WebP or AVIF picture');
  // Loaded on demand, because servers without photos need no memory for it.
  const { default: sharp } = await import('sharp');
  const images = new Map<PhotoWidth, Buffer>();
  for (const width of PHOTO_WIDTHS) {
    const scaled = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_DECODE_SECONDS })
      .autoOrient()
      .resize(width, width * HEIGHT_PART)
      .flatten({ background: '#ffffff' });
    images.set(width, await scaled[type]({ quality: 75 }).toBuffer());
  }
  return images;
}
