export {
  addBusinessDays,
  addBusinessMinutes,
  type BusinessHours,
  isBusinessDay,
  nextBusinessTime,
} from './business-hours.ts'
export {
  addDays,
  type DateRange,
  dayInTimezone,
  startOfDay,
  startOfDaysAgo,
  toInstantRange,
  weekdayOf,
} from './days.ts'
export { fiscalQuarterOf, type Period } from './fiscal-quarter.ts'
export { addLocalDays, isTimeZone, timestampAt } from './time-zones.ts'
