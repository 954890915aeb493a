// The choice of two photos of a spot to compare: those of the same view, most years apart. Pure.

// The maximum numbers of photos and pairs considered; a spot may have thousands of photos.
const maximumPhotos = 14;
const maximumPairs = 40;
// The angle in degrees between two cameras beyond which their views differ.
const farthestTurn = 60;

/**
 * Pairs of a spot's dated photos, each in order of date. The pairs most years apart, then most days
 * apart, come first.
 *
 * Of too many photos the earliest and the latest are used, at first one of each year.
 *
 * - `photo`: a photo that each pair must contain, or null.
 */
export function pairsToTry(photos, yearOf, photo = null) {
  const dated = byDate(photos.filter(({ captured }) => yearOf(captured)));
  const some = reachingFarthest(dated.filter((one) => one !== photo), yearOf);
  const pairs = photo ? some.map((other) => byDate([photo, other]))
    : some.flatMap((earlier, index) => some.slice(index + 1).map((later) => [earlier, later]));
  const years = ([earlier, later]) => yearOf(later.captured) - yearOf(earlier.captured);
  const days = ([one, other]) => Math.abs(Date.parse(other.captured) - Date.parse(one.captured));
  return pairs.filter((pair) => days(pair) > 0 && !looksAway(pair))
    .sort((one, other) => years(other) - years(one) || days(other) - days(one))
    .slice(0, maximumPairs);
}

// Photos without a date come last.
const byDate = (photos) => [...photos].sort((one, other) =>
  ((one.captured ?? "~") < (other.captured ?? "~") ? -1 : 1));

function reachingFarthest(dated, yearOf) {
  if (dated.length <= maximumPhotos) return dated;
  const isFirstOfYear = (photo, index) =>
    index === 0 || yearOf(dated[index - 1].captured) !== yearOf(photo.captured);
  const firsts = dated.filter(isFirstOfYear);
  const others = dated.filter((photo, index) => !isFirstOfYear(photo, index));
  const chosen = new Set(
    [...fromBothEnds(firsts), ...fromBothEnds(others)].slice(0, maximumPhotos));
  return dated.filter((photo) => chosen.has(photo));
}

// The first, the last, the second, the last but one, and so on.
const fromBothEnds = (photos) => photos.map((_, index) =>
  photos.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2));

function looksAway([{ heading: one }, { heading: other }]) {
  if (one == null || other == null) return false;
  const apart = Math.abs(one - other) % 360;
  return Math.min(apart, 360 - apart) > farthestTurn;
}

/**
 * The pair to show first: the first one accepted by `isOneView`, else the first and the last photo
 * that have a picture.
 *
 * - `photo`: a photo that the pair must contain, or null.
 */
export async function pairToShow(photos, { yearOf, isOneView, hasPicture, photo = null }) {
  for (const pair of pairsToTry(photos, yearOf, photo)) if (await isOneView(...pair)) return pair;
  const sorted = byDate(photos);
  const shown = async (those) => {
    for (const one of those.slice(0, maximumPhotos)) if (await hasPicture(one)) return one;
    return those[0];
  };
  const first = await shown(sorted.filter((one) => one !== photo));
  const last = photo ?? await shown(sorted.filter((one) => one !== first).reverse());
  return byDate([first, last]);
}
