export { recordSlowStatements } from './slow-statement-recorder.ts'
export { listSlowStatements } from './slow-statements.queries.ts'
export { type HourlyUsage, listHourlyUsage } from './usage.queries.ts'
export { createUsageCounter, type UsageCounter } from './usage-counter.ts'
