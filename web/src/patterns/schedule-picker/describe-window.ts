import { scheduleTexts as texts } from '../../texts/en/schedule-texts.ts'
import { weekdayName } from './weekdays.ts'

/** Times of a week at which something runs. Day 1 is Monday. */
export type WeekWindow = { days: readonly number[]; start: string; end: string }

/** Such as "Mon to Fri, 09:00 to 17:00". */
export const describeWindow = ({ days, start, end }: WeekWindow, locale: string): string =>
  `${describeDays(days, locale)}, ${texts.range(start, end)}`

/** Neighboring days are joined: "Mon to Wed, Fri". */
export function describeDays(days: readonly number[], locale: string): string {
  if (days.length === 7) return texts.everyDay
  const sorted = days.toSorted((one, other) => one - other)
  const runs: number[][] = []
  for (const day of sorted) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  return runs
    .flatMap((run) =>
      run.length > 2
        ? [texts.range(weekdayName(run[0]!, locale), weekdayName(run.at(-1)!, locale))]
        : run.map((day) => weekdayName(day, locale)),
    )
    .join(', ')
}
