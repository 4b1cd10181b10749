const MAX_STARS = 7;

/** A star character per star (Section 2) and '½' for a half, read out as '4.5 stars'; nothing without a rating. */
export function StarRating({ stars }: { stars: number | null }) {
  const halves = Math.min(Math.round((stars ?? 0) * 2), MAX_STARS * 2);
  if (halves <= 0) return null;
  const rating = halves / 2;
  return (
    <span className="stars" role="img" aria-label={`${rating} ${rating === 1 ? 'star' : 'stars'}`}>
      <span>{'★'.repeat(Math.floor(rating))}</span>
      {halves % 2 === 1 && <span className="half-star">½</span>}
    </span>
  );
}
