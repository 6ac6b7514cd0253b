import type { Clock } from '#platform/clock'
import { defineTenantSchedule } from '#platform/jobs'
import { listTenantsWithExpiringKeys } from './expiring-keys.queries.ts'
import { announceExpiry, warnAboutExpiry, warningWindow } from './expiring-keys.service.ts'

export const expiringKeysSchedule = ({ clock }: { clock: Clock }) =>
  defineTenantSchedule('identity.end_api_keys', '7 * * * *', {
    listTenants: (tx) => listTenantsWithExpiringKeys(tx, warningWindow(clock.now())),
    async runForTenant({ inTenant, signal }) {
      const now = clock.now()
      for (const step of [warnAboutExpiry, announceExpiry]) {
        let hasMore = true
        while (hasMore) {
          signal.throwIfAborted()
          hasMore = await inTenant((tx) => step(tx, now))
        }
      }
    },
  })
