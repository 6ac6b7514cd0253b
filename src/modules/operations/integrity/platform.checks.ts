import { verifyAuditChain } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import {
  deleteOrphanedBlobs,
  findFileUsageDrift,
  findMissingFiles,
  findOrphanedBlobs,
  recountFileUsage,
} from '#platform/files'
import { listStuckJobs, requeueStuckJobs } from '#platform/jobs'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { listUnpublishedEvents } from '#platform/outbox'
import { listTablesWithoutIsolation } from './isolation.queries.ts'

const outboxLagSeconds = 600

type CheckServices = Pick<Services, 'storage' | 'clock' | 'jobQueue'>

export const platformChecks = (services: CheckServices): IntegrityCheck[] => [
  ...fileChecks(services),
  ...queueChecks(services),
  defineRecordCheck({
    code: 'audit_chain',
    title: 'The audit log does not match its seals',
    severity: 'error',
    hint: 'Entries were changed directly in the database. Compare them with a backup; they are never repaired automatically.',
    resourceType: 'audit_seal',
    find: async (tx) => {
      const { mismatch } = await verifyAuditChain(tx, { latest: 100 })
      return mismatch ? [mismatch.sealId] : []
    },
  }),
  defineRecordCheck({
    code: 'rls_not_forced',
    title: 'Table without row-level security',
    severity: 'error',
    hint: 'The deployment is faulty. The operator must run the migrations and check who changed the table.',
    resourceType: 'table',
    find: (tx) => listTablesWithoutIsolation(tx),
  }),
]

const fileChecks = ({ storage, clock }: CheckServices): IntegrityCheck[] => [
  {
    code: 'file_missing',
    title: 'File without stored content',
    severity: 'error',
    hint: 'Restore the content from a backup of the file store, or delete the file.',
    async find(run, limit) {
      const ids = await findMissingFiles({ ...run, storage, clock }, limit)
      return ids.map((id) => ({ resource_type: 'file', id }))
    },
  },
  {
    code: 'file_orphan',
    title: 'Stored content without a file',
    severity: 'warning',
    hint: 'An upload was interrupted. Delete the content.',
    async find(run, limit) {
      const keys = await findOrphanedBlobs({ ...run, storage, clock }, limit)
      return keys.map((id) => ({ resource_type: 'blob', id }))
    },
    repair: (run, found) =>
      deleteOrphanedBlobs(
        { ...run, storage, clock },
        found.map(({ id }) => id),
      ),
  },
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'file_usage',
    find: (tx) => findFileUsageDrift(tx),
    repair: (tx) => recountFileUsage(tx),
  }),
]

const queueChecks = ({ jobQueue, clock }: CheckServices): IntegrityCheck[] => [
  {
    code: 'stuck_jobs',
    title: 'Job without a worker',
    severity: 'warning',
    hint: 'Check that a worker is running, then requeue the jobs.',
    async find({ tenantId }, limit) {
      const ids = await listStuckJobs(jobQueue, tenantId, limit)
      return ids.map((id) => ({ resource_type: 'job', id }))
    },
    repair: ({ tenantId }, found) =>
      requeueStuckJobs(
        jobQueue,
        tenantId,
        found.map(({ id }) => id),
      ),
  },
  defineRecordCheck({
    code: 'outbox_lag',
    title: 'Event that was not published for ten minutes',
    severity: 'warning',
    hint: 'Check that a worker is running. It publishes all waiting events.',
    resourceType: 'event',
    find: (tx, limit) => listUnpublishedEvents(tx, secondsLater(clock.now(), -outboxLagSeconds), limit),
  }),
]
