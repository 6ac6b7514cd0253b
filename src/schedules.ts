import { sealAudit } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { SystemDb } from '#platform/db'
import { forgetOldKeys } from '#platform/idempotency'
import { defineSchedule, type Schedule } from '#platform/jobs'
import { droppingEvents, makingPartitions } from '#platform/outbox'

/** What the platform does by itself, in UTC. */
export const platformSchedules = (systemDb: SystemDb, clock: Clock): Schedule[] => [
  makingPartitions,
  droppingEvents(clock),
  defineSchedule('platform.seal_audit', '* * * * *', async ({ log }) => {
    // Whoever keeps these lines elsewhere can tell whether the end of a chain was cut off.
    for (const { tenantId, hash, count } of await sealAudit({ systemDb }))
      log.info({ tenant_id: tenantId, hash, count }, 'the audit trail was sealed')
  }),
  defineSchedule('platform.forget_idempotency_keys', '41 * * * *', async ({ log }) => {
    const forgotten = await forgetOldKeys({ systemDb })
    if (forgotten) log.info({ forgotten }, 'old idempotency keys were forgotten')
  }),
]
