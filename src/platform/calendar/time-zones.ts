export function isTimeZone(name: string): boolean {
  if (formats.has(name)) return true
  try {
    // Rejects fixed offsets such as +02:00, which ignore daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

const dayMs = 86_400_000

/** Converts a local time (`HH:MM`) to a timestamp in milliseconds. A time skipped by daylight saving is shifted forward. */
export const timestampAt = (day: string, time: string, timezone: string): number =>
  toTimestamp(Date.parse(`${day}T${time}:00Z`), timezone)

/** Adds calendar days and keeps the local time. */
export function addLocalDays(instant: Date, days: number, timezone: string): Date {
  const timestamp = instant.getTime()
  return new Date(toTimestamp(timestamp + utcOffsetAt(timestamp, timezone) + days * dayMs, timezone))
}

/** Returns the first of two instants with the same local time. */
function toTimestamp(localAsUtc: number, timezone: string): number {
  const before = localAsUtc - utcOffsetAt(localAsUtc - dayMs, timezone)
  const after = localAsUtc - utcOffsetAt(localAsUtc + dayMs, timezone)
  if (before === after) return before
  const isLocalTime = (timestamp: number) => timestamp + utcOffsetAt(timestamp, timezone) === localAsUtc
  return isLocalTime(before) || !isLocalTime(after) ? before : after
}

const formats = new Map<string, Intl.DateTimeFormat>()

function utcOffsetAt(timestamp: number, timezone: string): number {
  const seconds = Math.floor(timestamp / 1_000) * 1_000
  const format = formats.get(timezone) ?? createFormat(timezone)
  return Date.parse(`${format.format(seconds).replace(' ', 'T')}Z`) - seconds
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timezone, format)
  return format
}
