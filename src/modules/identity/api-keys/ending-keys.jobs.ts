import type { Clock } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { listTenantsWithEndingKeys } from './ending-keys.queries.ts'
import { announceEnd, warningSpan, warnOfEnd } from './ending-keys.service.ts'

/** Every hour, where there is something to tell. What fails in one workspace does not keep the others from it. */
export const endingKeys = ({ clock }: { clock: Clock }) =>
  defineSchedule('identity.end_api_keys', '7 * * * *', async ({ inSystem, inTenant, signal, log }) => {
    const now = clock.now()
    for (const tenantId of await inSystem((tx) => listTenantsWithEndingKeys(tx, warningSpan(now)))) {
      try {
        for (const step of [warnOfEnd, announceEnd]) {
          let isThereMore = true
          while (isThereMore && !signal.aborted) isThereMore = await inTenant(tenantId, (tx) => step(tx, now))
        }
      } catch (err) {
        log.error({ err, tenant_id: tenantId }, 'the end of API keys could not be announced')
      }
    }
  })
