import type { Clock } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { listTenantsWithExpiringKeys } from './expiring-keys.queries.ts'
import { announceExpiry, warnAboutExpiry, warningWindow } from './expiring-keys.service.ts'

export const expiringKeysSchedule = ({ clock }: { clock: Clock }) =>
  defineSchedule('identity.end_api_keys', '7 * * * *', async ({ inSystem, inTenant, signal, log }) => {
    const now = clock.now()
    for (const tenantId of await inSystem((tx) => listTenantsWithExpiringKeys(tx, warningWindow(now)))) {
      try {
        for (const step of [warnAboutExpiry, announceExpiry]) {
          let hasMore = true
          while (hasMore && !signal.aborted) hasMore = await inTenant(tenantId, (tx) => step(tx, now))
        }
      } catch (err) {
        log.error({ err, tenant_id: tenantId }, 'announcing expired API keys failed')
      }
    }
  })
