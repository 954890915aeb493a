// Distances and directions on the sphere used throughout PhotoSpots. Pure.

const earthRadius = 6_371_008.8;
const radians = Math.PI / 180;

/** The great-circle distance of two positions, in metres (haversine, IUGG mean radius). */
export function distance(from, to) {
  const [a, b] = [from.latitude * radians, to.latitude * radians];
  const half = Math.sin((b - a) / 2) ** 2
    + Math.cos(a) * Math.cos(b) * Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** The initial bearing of the great circle to a position, in degrees from true north. */
export function bearing(from, to) {
  const [a, b] = [from.latitude * radians, to.latitude * radians];
  const across = (to.longitude - from.longitude) * radians;
  const degrees = Math.atan2(
    Math.sin(across) * Math.cos(b),
    Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(across)) / radians;
  return (degrees + 360) % 360;
}

/**
 * Parses a position typed by a person: `48.8584, 2.2945`, `33.8568 S 151.2153 E`, or `48°51'30"N
 * 2°17'40"E`, latitude first; the Spanish O means west. Null if invalid.
 */
export function readCoordinates(text) {
  const number = String.raw`\d+(?:[.,]\d+)?`;
  const parts = String.raw`(?:(${number})\s*['′]\s*)?(?:(${number})\s*["″]\s*)?`;
  const angle = String.raw`([+\-−]?${number})\s*°?\s*${parts}`;
  const pattern = new RegExp(
    String.raw`^\s*${angle}\s*([NS])?\s*[,;\s]\s*${angle}\s*([EWO])?\s*$`, "i");
  const match = pattern.exec(text);
  if (!match) return null;
  const valueOf = (part) => Number((part ?? "0").replace("−", "-").replace(",", "."));
  const degrees = ([whole, minutes, seconds, letter], negatives) => {
    const size = Math.abs(valueOf(whole)) + valueOf(minutes) / 60 + valueOf(seconds) / 3600;
    const isNegative = /^[-−]/.test(whole) !== negatives.includes(letter?.toUpperCase() ?? "?");
    return isNegative ? -size : size;
  };
  const latitude = degrees(match.slice(1, 5), "S");
  const longitude = degrees(match.slice(5, 9), "WO");
  const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isValid ? { latitude, longitude } : null;
}
