export { type HourlyUsage, listHourlyUsage } from './usage.queries.ts'
export { createUsageCounter, type UsageCounter } from './usage-counter.ts'
