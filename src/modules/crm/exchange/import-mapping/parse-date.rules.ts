import { timestampAt } from '#platform/calendar'
import { isDate, isDateTime } from '#platform/schema'
import { toPlainName } from './countries.rules.ts'

export type DateOrder = 'dmy' | 'mdy'

/** `offset` is null for a local time, and `time` for a day. */
type WrittenDate = { day: string; time: string | null; offset: string | null }

const yearFirst = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/
const yearLast = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$/
const clockTime =
  /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([AaPp])\.?[Mm]\.?)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/

/** Reads the usual forms of dates in short texts. Without an order, a day and a month that could be exchanged are not read. */
export function readDate(text: string, order: DateOrder | undefined): WrittenDate | undefined {
  const trimmed = text.trim()
  if (isDateTime(trimmed)) return { day: trimmed.slice(0, 10), ...splitOffset(trimmed.slice(11)) }
  const serial = readSerial(trimmed)
  if (serial) return serial
  const colon = trimmed.indexOf(':')
  const start = colon < 0 ? trimmed.length : isDigit(trimmed[colon - 2]) ? colon - 2 : colon - 1
  const day = readDay(trimmed.slice(0, Math.max(start, 0)), order)
  if (!day) return undefined
  if (colon < 0) return { day, time: null, offset: null }
  const time = readTime(trimmed.slice(start))
  return time && { day, ...time }
}

/** Returns the instant as ISO 8601; times without an offset are those of the time zone. */
export function toInstant({ day, time, offset }: WrittenDate, timezone: string): string {
  const [clock, seconds] = time ? [time.slice(0, 5), time.slice(6)] : ['00:00', '00']
  if (offset) return `${day}T${clock}:${seconds}${offset}`
  return new Date(timestampAt(day, clock, timezone) + Number(seconds) * 1_000).toISOString()
}

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9'

function splitOffset(time: string) {
  const end = time.endsWith('Z') ? time.length - 1 : time.length - 6
  return { time: time.slice(0, end), offset: time.slice(end) }
}

const excelEpoch = Date.UTC(1899, 11, 30)

/** Reads the number of days that spreadsheets store; of five digits, so that years and other numbers are not read as dates. */
function readSerial(text: string): WrittenDate | undefined {
  if (!/^\d{5}(?:[.,]\d{1,12})?$/.test(text)) return undefined
  const iso = new Date(excelEpoch + Math.round(Number(text.replace(',', '.')) * 86_400) * 1_000).toISOString()
  const hasTime = text.length > 5
  return { day: iso.slice(0, 10), time: hasTime ? iso.slice(11, 19) : null, offset: null }
}

function readDay(text: string, order: DateOrder | undefined): string | undefined {
  const date = removeEnd(text)
  const [, year, month, day] = yearFirst.exec(date) ?? []
  if (year) return toDay(year, month!, day!)
  if (/^\d{8}$/.test(date)) return toDay(date.slice(0, 4), date.slice(4, 6), date.slice(6))
  const [, first, separator, second, last] = yearLast.exec(date) ?? []
  if (!first || !second) return readWords(date)
  const known = order ?? (separator === '.' ? 'dmy' : findOrder(Number(first), Number(second)))
  if (known === 'dmy') return toDay(last!, second, first)
  return known && toDay(last!, first, second)
}

function removeEnd(text: string): string {
  let end = text.length
  while (end > 0 && 'T, '.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

export const findOrder = (first: number, second: number): DateOrder | undefined =>
  first > 12 && second <= 12 ? 'dmy' : second > 12 && first <= 12 ? 'mdy' : undefined

export function splitDate(text: string): { first: number; second: number } | undefined {
  const [, first, separator, second] = yearLast.exec(text.split(' ', 1)[0]!.replace(',', '')) ?? []
  return first && separator !== '.' ? { first: Number(first), second: Number(second) } : undefined
}

function toDay(year: string, month: string, day: string): string | undefined {
  const full = year.length === 2 ? `${Number(year) < 30 ? '20' : '19'}${year}` : year
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

function readWords(text: string): string | undefined {
  const words = text.split(/[ ,.-]+/).filter(Boolean)
  if (words.length === 4 && !isDigit(words[0]![0])) words.shift()
  const month = words.findIndex((word) => monthOf(word) !== undefined)
  const [day, year] = words.filter((_, index) => index !== month)
  if (words.length !== 3 || month < 0 || month > 1 || !/^\d{4}$/.test(year!) || !/^\d{1,2}$/.test(day!))
    return undefined
  return toDay(year!, String(monthOf(words[month]!)), day!)
}

let months: Map<string, number> | undefined

function monthOf(word: string): number | undefined {
  months ??= listMonths()
  return months.get(toPlainName(word))
}

function listMonths(): Map<string, number> {
  const found = new Map<string, number>()
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'])
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' })
      for (let number = 1; number <= 12; number++) {
        const parts = format.formatToParts(Date.UTC(2026, number - 1, 1))
        const name = toPlainName(parts.find(({ type }) => type === 'month')!.value)
        if (!found.has(name)) found.set(name, number)
      }
    }
  return found
}

function readTime(text: string): Pick<WrittenDate, 'time' | 'offset'> | undefined {
  const [, hours, minutes, seconds = '00', half, zone] = clockTime.exec(text) ?? []
  if (!hours || !minutes) return undefined
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half && (Number(hours) < 1 || Number(hours) > 12)) return undefined
  const hour = half ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const isUtc = zone === 'Z' || zone === 'UTC' || zone === 'GMT'
  const offset = !zone ? null : isUtc ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  return { time: `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`, offset }
}
