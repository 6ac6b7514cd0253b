export { addDays, type DateRange, dayInTimezone, startOfDay, weekdayOf } from './days.ts'
export { fiscalQuarterOf, type Period } from './fiscal-quarter.ts'
export { isTimeZone, timestampAt } from './time-zones.ts'
