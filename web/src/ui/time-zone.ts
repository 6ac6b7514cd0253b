const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The time zone of the profile. Until the user is known, the one of the browser. */
let zone: string | undefined
let wallClock = createWallClock()

function createWallClock(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** Sets the zone of all times that are shown and entered. A zone that the browser does not know is ignored. */
export function setTimeZone(name: string): void {
  const before = zone
  try {
    zone = name
    wallClock = createWallClock()
  } catch {
    zone = before
  }
}

export const currentTimeZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

function toWallTime(at: number): number {
  const parts = Object.fromEntries(wallClock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

/** The number of a calendar day in the zone, which grows by one at each midnight. */
export const dayNumberOf = (at: number): number => Math.floor(toWallTime(at) / dayMs)

export const daysSince = (day: string, now: number): number => dayNumberOf(now) - Date.parse(day) / dayMs

export const hourOf = (at: number): number => new Date(toWallTime(at)).getUTCHours()

export const yearOf = (at: number): number => new Date(toWallTime(at)).getUTCFullYear()

/** The calendar day in the zone, or one a number of days later, in the form of a date field. */
export const toDayInput = (at: number, days = 0): string =>
  new Date((dayNumberOf(at) + days) * dayMs).toISOString().slice(0, 10)

export const toTimeInput = (at: number): string => new Date(toWallTime(at)).toISOString().slice(0, 16)

/** The first of the moments at which the clocks show a time. A time that they skip is as much later as they are set forward. */
export function fromTimeInput(text: string): string {
  const wall = Date.parse(`${text}Z`)
  const [before, after] = [wall - dayMs, wall + dayMs].map((at) => wall - (toWallTime(at) - at)) as [number, number]
  const isAfter = toWallTime(before) !== wall && toWallTime(after) === wall
  return new Date(isAfter ? after : before).toISOString()
}
