import type { Clock } from '#platform/clock'
import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { findDaysWithDrift, recountDays } from './day-counts.service.ts'

export const plgChecks = ({ clock }: { clock: Clock }): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'usage_day',
    find: (tx, limit) => findDaysWithDrift(tx, clock.now(), limit),
    repair: recountDays,
  }),
]
