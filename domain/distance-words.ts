/** Coasts and hotels' positions are only known to this accuracy. */
const MIN_KM = 0.3;

/** 'About 400 m', 'About 1.4 km' or 'About 23 km' of a straight distance in kilometres. */
export function aboutDistance(km: number): string {
  return km < MIN_KM ? `Less than ${shortDistance(MIN_KM)}` : `About ${shortDistance(km)}`;
}

/** '400 m', '1.4 km' or '23 km'. */
function shortDistance(km: number): string {
  const rounded = Number(km.toFixed(km < 10 ? 1 : 0));
  return rounded < 1 ? `${rounded * 1e3} m` : `${rounded} km`;
}
