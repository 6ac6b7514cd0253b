type Names = readonly (readonly [name: string, ...patterns: RegExp[]])[]

const browsers: Names = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|CriOS)\//],
  ['Safari', /\bVersion\/\d/, /Safari\//],
  ['curl', /^curl\//],
]

const systems: Names = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]
const phones: Names = [
  ['iPhone', /\biPhone\b/],
  ['Android', /\bAndroid/, /Mobile\b/],
]

export type Device = { browser: string | null; system: string | null; isPhone: boolean }

/** The browser and the system of a user agent, as far as people know them by name. */
export function describeDevice(userAgent: string | null): Device {
  const find = (names: Names) =>
    names.find(([, ...patterns]) => patterns.every((pattern) => pattern.test(userAgent ?? '')))?.[0] ?? null
  return { browser: find(browsers), system: find(systems), isPhone: find(phones) !== null }
}
