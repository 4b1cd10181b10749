import type { Notice } from './tables/notices.ts';

/**
 * Each call raises the notices that are new since the last one, each of them once. A call while another waits for the store
 * does nothing: both would raise the same. The first raises none: what is there was raised when it was new.
 */
export function noticeRaiser(
  read: (after: number) => Promise<readonly Pick<Notice, 'id' | 'text'>[]>,
  raise: (text: string) => void,
): () => Promise<void> {
  let last: number | null = null;
  let isReading = false;

  return async () => {
    if (isReading) return;
    isReading = true;
    try {
      const notices = await read(last ?? 0);
      if (last !== null) for (const { text } of notices) raise(text);
      last = notices.at(-1)?.id ?? last ?? 0;
    } finally {
      isReading = false;
    }
  };
}
