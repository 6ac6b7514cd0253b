/** Order matters: most user agents also contain the names of the browsers below them. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPad\b|\biPod\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns e.g. "Firefox on Windows", without versions, so that an update is not a new device. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'an unknown device'
  const browser = nameIn(browsers, userAgent) ?? userAgent.split(/[/\s;(]/, 1)[0]?.slice(0, 40) ?? ''
  const system = nameIn(systems, userAgent)
  if (!browser) return system ?? 'an unknown device'
  return system ? `${browser} on ${system}` : browser
}

const nameIn = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1]
