import { readFile } from 'node:fs/promises';

/** The widths in pixels, and the shape of the card's picture. */
export const PHOTO_WIDTHS = [320, 640, 960] as const;
const HEIGHT_PART = 3 / 4;
const MAX_WIDTH = 960;

/**
 * The largest picture: its pixels, times channels, times bytes of a channel. An AVIF's limit is lower, because it
 * is decoded whole, at seven times its size.
 */
const MAX_BYTES = 120_000_000;
const MAX_AVIF_BYTES = 50_000_000;
const MAX_DECODE_SECONDS = 10;

export type PhotoType = 'webp' | 'jpeg';
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];
export type PhotoImages = ReadonlyMap<PhotoWidth, Buffer>;

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

/**
 * Scales a file to all widths, without its metadata. Throws if it is no photo, damaged or too large. Only
 * `photoProcess` calls this, because a hostile file may take much memory.
 */
export async function photoImages(path: string, type: PhotoType): Promise<PhotoImages> {
  const bytes = await readFile(path);
  if (!isPhoto(bytes)) throw new Error('The file is not a JPEG, PNG, WebP or AVIF picture');
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error' });
  const { format, width, height, channels, depth } = await picture.metadata();
  const size = width * height * channels * (depth === 'uchar' ? 1 : 2);
  if (size > (format === 'heif' ? MAX_AVIF_BYTES : MAX_BYTES)) {
    throw new Error(`The picture is too large: ${width} by ${height} pixels, ${size} bytes`);
  }
  const { data, info } = await picture
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .autoOrient()
    .resize(MAX_WIDTH, MAX_WIDTH * HEIGHT_PART)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const images = new Map<PhotoWidth, Buffer>();
  for (const scaled of PHOTO_WIDTHS) {
    const image = sharp(data, { raw: info }).resize(scaled, scaled * HEIGHT_PART);
    images.set(scaled, await image[type]({ quality: 75 }).toBuffer());
  }
  return images;
}
