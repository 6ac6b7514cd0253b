import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { reconcileThreads } from '../maintenance/maintenance.service.ts'
import { findThreadsWithDrift } from '../maintenance/reconcile.queries.ts'

export const communityChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'thread',
    find: findThreadsWithDrift,
    repair: async (tx, ids) => (await reconcileThreads(tx, ids)).length,
  }),
]
