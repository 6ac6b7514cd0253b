import { dayNumberOf, fromTimeInput, toDayInput } from '../../ui/time-zone.ts'

const workStart = 'T09:00'
const weekDays = 7
/** Day 0 of the count was a Thursday. */
const mondayOffset = 3

const inDays = (days: number, now: number): string => fromTimeInput(toDayInput(now, days) + workStart)

/** Nine o'clock of the next day in the time zone of the user. */
export const tomorrow = (now: number): string => inDays(1, now)

/** Nine o'clock of the next Monday. */
export const nextWeek = (now: number): string => inDays(weekDays - ((dayNumberOf(now) + mondayOffset) % weekDays), now)
