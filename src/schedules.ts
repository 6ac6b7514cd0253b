import { type SealSigner, sealAuditLogs } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { SystemDb } from '#platform/db'
import { deleteExpiredIdempotencyKeys } from '#platform/idempotency'
import { defineSchedule, type Schedule } from '#platform/jobs'
import { dropOldEventsSchedule, ensurePartitionsSchedule } from '#platform/outbox'

type ScheduleServices = { systemDb: SystemDb; clock: Clock; signer: SealSigner }

/** Cron expressions are in UTC. */
export const platformSchedules = ({ systemDb, clock, signer }: ScheduleServices): Schedule[] => [
  ensurePartitionsSchedule,
  dropOldEventsSchedule(clock),
  defineSchedule('platform.seal_audit', '* * * * *', async ({ log }) => {
    // Operators store these lines outside the database to detect truncated audit logs.
    for (const { tenantId, hash, count } of await sealAuditLogs({ systemDb, signer }))
      log.info({ tenant_id: tenantId, hash, count }, 'audit log sealed')
  }),
  defineSchedule('platform.delete_idempotency_keys', '41 * * * *', async ({ log }) => {
    const deleted = await deleteExpiredIdempotencyKeys({ systemDb })
    if (deleted) log.info({ deleted }, 'deleted expired idempotency keys')
  }),
]
