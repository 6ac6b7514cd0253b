import { addDays, type DateRange, weekdayOf } from '#platform/calendar'

export type Granularity = 'day' | 'week' | 'month'

/** The local days of roll-ups: `days[n]` begins at `starts[n]`. */
export type DayStarts = { days: string[]; starts: string[] }

export const startOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

export function startOfPeriod(day: string, granularity: Granularity): string {
  if (granularity === 'day') return day
  return granularity === 'month' ? startOfMonth(day) : addDays(day, 1 - weekdayOf(day))
}

export function addPeriods(start: string, granularity: Granularity, count: number): string {
  if (granularity !== 'month') return addDays(start, count * (granularity === 'week' ? 7 : 1))
  const [year, month] = start.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10)
}

/** The last `count` periods, of which the last one contains `today`. */
export function listPeriods(today: string, granularity: Granularity, count: number): DateRange[] {
  const current = startOfPeriod(today, granularity)
  return Array.from({ length: count }, (_, index) => {
    const from = addPeriods(current, granularity, index - count + 1)
    return { from, to: addDays(addPeriods(from, granularity, 1), -1) }
  })
}

export const listDays = ({ from, to }: DateRange): string[] => {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** Turns the days of a month into bits of a mask in which bit n stands for window n. */
export type MonthBits = { month_on: string; shift: number | null; masks: number[]; bits: number[] }

export const maxWindowsPerMonth = 6

/** Windows are ranges of days and may overlap. More than six of them in a month must be consecutive days. */
export function toMonthBits(windows: readonly DateRange[]): MonthBits[] {
  const months = listMonths(windows)
  const isDaily = windows.length > maxWindowsPerMonth && windows.every(({ from, to }) => from === to)
  if (isDaily) {
    const first = Date.parse(windows[0]!.from)
    return months.map((month_on) => {
      const shift = Math.round((Date.parse(month_on) - first) / 86_400_000)
      return { month_on, shift, masks: [], bits: [] }
    })
  }
  return months.map((month_on) => {
    const month = { from: month_on, to: addDays(addPeriods(month_on, 'month', 1), -1) }
    const overlapping = windows.flatMap((window, index) => {
      const mask = maskOfDays(intersect(window, month))
      return mask ? [{ mask, bit: 2 ** index }] : []
    })
    if (overlapping.length > maxWindowsPerMonth) throw new Error(`${overlapping.length} windows in ${month_on}`)
    return {
      month_on,
      shift: null,
      masks: overlapping.map(({ mask }) => mask),
      bits: overlapping.map(({ bit }) => bit),
    }
  })
}

const listMonths = (windows: readonly DateRange[]): string[] => {
  const months = new Set<string>()
  for (const { from, to } of windows)
    for (let month = startOfMonth(from); month <= to; month = addPeriods(month, 'month', 1)) months.add(month)
  return [...months].sort()
}

const intersect = (a: DateRange, b: DateRange): DateRange => ({
  from: [a.from, b.from].sort()[1]!,
  to: [a.to, b.to].sort()[0]!,
})

function maskOfDays({ from, to }: DateRange): number {
  if (from > to) return 0
  const [first, last] = [Number(from.slice(8)), Number(to.slice(8))]
  return 2 ** last - 2 ** (first - 1)
}
