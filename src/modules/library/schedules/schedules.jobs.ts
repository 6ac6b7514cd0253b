import type { Clock } from '#platform/clock'
import { daysLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import { listTenantsWithExpiredItems, listTenantsWithReviews } from './schedules.queries.ts'
import { archiveExpiredItems, sendReviewNotices } from './schedules.service.ts'

const firstNoticeDays = 14

export const expireContentSchedule = ({ clock }: { clock: Clock }) =>
  defineFrequentTenantSchedule('enablement.expire_content', '*/5 * * * *', {
    listTenants: (tx) => listTenantsWithExpiredItems(tx, clock.now()),
    async runForTenant({ inTenant, signal }) {
      do signal.throwIfAborted()
      while (await retryOnContention(() => inTenant((tx) => archiveExpiredItems(tx, clock.now())), signal))
    },
  })

export const reviewDueSchedule = ({ clock }: { clock: Clock }) =>
  defineTenantSchedule('enablement.send_review_notices', '37 5 * * *', {
    listTenants: (tx) => listTenantsWithReviews(tx, daysLater(clock.now(), firstNoticeDays)),
    async runForTenant({ inTenant, signal }) {
      let after: string | undefined = ''
      while (after !== undefined) {
        signal.throwIfAborted()
        const page: string = after
        const input = { now: clock.now(), before: daysLater(clock.now(), firstNoticeDays), afterId: page || null }
        after = await retryOnContention(() => inTenant((tx) => sendReviewNotices(tx, input)), signal)
      }
    },
  })
