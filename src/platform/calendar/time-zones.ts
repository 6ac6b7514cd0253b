export function isTimeZone(name: string): boolean {
  try {
    // Rejects fixed offsets such as +02:00, which ignore daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Converts a local time (`HH:MM`) to a timestamp in milliseconds. A time skipped by daylight saving is shifted forward. */
export function timestampAt(day: string, time: string, timezone: string): number {
  const localAsUtc = Date.parse(`${day}T${time}:00Z`)
  const guess = localAsUtc - utcOffsetAt(localAsUtc, timezone)
  return localAsUtc - utcOffsetAt(guess, timezone)
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
