// The apps that send the position of a phone: the link that configures each, or what to type. Pure.
//
// The formats are those of the apps' code and documents of 2026.

/**
 * Encodes a text for a query, also the characters that `encodeURIComponent` leaves: parsers of apps
 * differ about them.
 */
const quoted = (text) => encodeURIComponent(text).replace(/[!'()*]/g,
  (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The address to which apps send; `base` is that of the page, without a slash at its end. */
const feed = ({ base }) => `${base}/feed`;

// A configuration as JSON in base64 (OwnTracks Booklet, "Remote configuration"). `mode` 3 is HTTP.
// The base64 is percent-encoded, since Android reads `+` as a space.
function ownTracks(phone) {
  const { name, token } = phone;
  const json = JSON.stringify({
    _type: "configuration", mode: 3, url: feed(phone), auth: true, username: name,
    password: token, deviceId: name, tid: [...name].slice(0, 2).join(""), monitoring: 1, cmd: true,
  }).replace(/[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `owntracks:///config?inline=${quoted(btoa(json))}`;
}

// Overland's README, "Configuring the app": an absent key would become empty.
const overland = (phone) => `overland://setup?url=${quoted(feed(phone))}&token=${phone.token}`
  + `&device_id=${quoted(phone.name)}&unique_id=no`;

const traccar = (phone) =>
  `org.traccar.client://config?url=${quoted(`${feed(phone)}?token=${phone.token}`)}`
  + `&id=${quoted(phone.name)}&accuracy=high&distance=50&interval=60&buffer=true`;

const gpsLogger = (phone) => `${feed(phone)}?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC`
  + "&alt=%ALT&speed=%SPD&bearing=%DIR&batt=%BATT";

const osmAnd = (phone) => `${feed(phone)}?token=${phone.token}&id=${quoted(phone.name)}`
  + "&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}&bearing={6}";

/**
 * The apps, in the order in which they are offered.
 *
 * - `link`: the address that configures the app; `isLocked`: the app must be told before to accept
 *  it. Otherwise `fields`: what to type, as names of words with texts.
 */
export const apps = [
  { id: "owntracks", link: ownTracks, isLocked: true },
  { id: "overland", link: overland },
  { id: "traccar", link: traccar },
  {
    id: "gpslogger",
    fields: (phone) => [
      ["address", gpsLogger(phone)], ["user", phone.name], ["password", phone.token],
    ],
  },
  { id: "osmand", fields: (phone) => [["address", osmAnd(phone)]] },
  {
    id: "other",
    fields: (phone) => [["address", `${feed(phone)}/${phone.token}`], ["token", phone.token]],
  },
];
