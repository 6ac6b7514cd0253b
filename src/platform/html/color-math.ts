type Triple = readonly [number, number, number]

export function relativeLuminance(color: string): number {
  const [red, green, blue] = toLinearRgb(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastRatio(one: string, other: string): number {
  const [first, second] = [relativeLuminance(one), relativeLuminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

export function mixColors(color: string, ground: string, share: number): string {
  const grounds = readChannels(ground)
  return toHex(mapTriple(readChannels(color), (channel, at) => channel * share + grounds[at]! * (1 - share)))
}

export const lightnessOf = (color: string): number => toOklab(color)[0]

/** Changes the lightness in OKLCH and keeps the hue. The chroma decreases as far as the screen requires it. */
export function withLightness(color: string, lightness: number): string {
  const [, a, b] = toOklab(color)
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const rgb = oklabToLinearRgb([lightness, a * chroma, b * chroma])
    if (rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)) return toHex(mapTriple(rgb, encodeGamma))
  }
  return toHex(mapTriple(oklabToLinearRgb([lightness, 0, 0]), encodeGamma))
}

const mapTriple = ([first, second, third]: Triple, map: (value: number, at: number) => number): Triple => [
  map(first, 0),
  map(second, 1),
  map(third, 2),
]

const readChannels = (color: string): Triple =>
  mapTriple([1, 3, 5], (at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)

const toLinearRgb = (color: string): Triple => mapTriple(readChannels(color), decodeGamma)

const toHex = (rgb: Triple): string =>
  `#${rgb.map((channel) => toByte(channel).toString(16).padStart(2, '0')).join('')}`

const toByte = (channel: number): number => Math.round(Math.min(1, Math.max(0, channel)) * 255)

const decodeGamma = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const encodeGamma = (channel: number): number =>
  channel <= 0.0031308 ? 12.92 * Math.max(0, channel) : 1.055 * channel ** (1 / 2.4) - 0.055

// The matrices of Oklab: https://bottosson.github.io/posts/oklab/
function toOklab(color: string): Triple {
  const [red, green, blue] = toLinearRgb(color)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

function oklabToLinearRgb([lightness, a, b]: Triple): Triple {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}
