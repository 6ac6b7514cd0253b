type RegionLocale = Intl.Locale & { getTimeZones?(): string[] | undefined }

const winterAndSummer = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]

/** Returns the time zone of a country whose clocks all show the same time. */
export function singleTimeZoneOf(country: string): string | null {
  if (!/^[A-Z]{2}$/.test(country)) return null
  const zones = (new Intl.Locale(`und-${country}`) as RegionLocale).getTimeZones?.() ?? []
  const offsets = new Set(zones.map((zone) => winterAndSummer.map((at) => offsetOf(zone, at)).join()))
  return offsets.size === 1 ? zones[0]! : null
}

const offsetOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value
