import {
  addBusinessDays,
  addDays,
  addLocalDays,
  type DateRange,
  dayInTimezone,
  nextBusinessTime,
  startOfDay,
} from '#platform/calendar'
import { secondsLater } from '#platform/clock'
import type { RunWindow } from '../cadence-records/cadences.queries.ts'
import type { RunRow } from '../cadence-records/runs.queries.ts'
import type { StepRow } from '../cadence-records/steps.queries.ts'

/** Times at which the steps of a person may run. */
export type RunTimes = {
  window: RunWindow
  timezone: string
  /** Calendar days (`YYYY-MM-DD`) that are neither business days nor inside the window. */
  holidays: readonly string[]
  away: DateRange | null
}

export type StepDelay = Pick<StepRow, 'delay_days' | 'delay_hours' | 'business_days'>

type PlannedStep = {
  delay: StepDelay
  /** Execution of the previous step, or the enrollment. */
  from: Date
  earliest: Date
  times: RunTimes
}

/** Returns the first time inside the window after the delay. The search ends after ten years without a suitable day. */
export function planRun({ delay, from, earliest, times }: PlannedStep): Date {
  const due = addDelay(from, delay, times)
  return nextRunTime(due > earliest ? due : earliest, times)
}

/** Returns the first instant inside the window at or after `instant`, on a day on which the sender is not away. */
export function nextRunTime(instant: Date, { window, timezone, holidays, away }: RunTimes): Date {
  const hours = { ...window, timezone, holidays }
  const time = nextBusinessTime(instant, hours)
  if (!away || !isWithin(dayInTimezone(time, timezone), away)) return time
  return nextBusinessTime(new Date(startOfDay(addDays(away.to, 1), timezone)), hours)
}

const isWithin = (day: string, { from, to }: DateRange): boolean => day >= from && day <= to

/** Days keep the local time, also when the clocks change. Business days are the weekdays of the window without holidays. */
function addDelay(from: Date, { delay_days, delay_hours, business_days }: StepDelay, times: RunTimes): Date {
  const { window, timezone, holidays } = times
  const day = business_days
    ? addBusinessDays(from, delay_days, { days: window.days, timezone, holidays })
    : addLocalDays(from, delay_days, timezone)
  return secondsLater(day, delay_hours * 3_600)
}

type RunResult = Pick<RunRow, 'step_id' | 'state' | 'skip_reason'>

/** An uncertain email may have arrived, so its step counts as executed. Runs of paused enrollments are planned again. */
export const isExecuted = ({ state, skip_reason }: RunResult): boolean =>
  state === 'done' || state === 'uncertain' || (state === 'skipped' && skip_reason !== 'paused')

/** Returns the first step from `position` that was not executed; `steps` are ordered by position. */
export function findNextStep(
  steps: readonly StepRow[],
  position: number,
  runs: readonly RunResult[],
): StepRow | undefined {
  const executed = new Set(runs.filter(isExecuted).map(({ step_id }) => step_id))
  return steps.find((step) => step.position >= position && !executed.has(step.id))
}
