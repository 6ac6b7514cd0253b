import { secondsLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { expireAttempt, graceSeconds } from './attempts.service.ts'
import { listOverdueAttempts, listTenantsWithOverdueAttempts, type OverdueAttempt } from './expire-attempts.queries.ts'

const batchSize = 200

export const expireAttemptsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('enablement.expire_attempts', '* * * * *', {
    listTenants: (tx) => listTenantsWithOverdueAttempts(tx, secondsLater(clock.now(), -graceSeconds)),
    async runForTenant({ inTenant, signal }) {
      let attempts: OverdueAttempt[]
      do {
        const before = secondsLater(clock.now(), -graceSeconds)
        attempts = await inTenant((tx) => listOverdueAttempts(tx, before, batchSize))
        for (const attempt of attempts) {
          signal.throwIfAborted()
          await retryOnContention(() => inTenant((tx) => expireAttempt(tx, attempt, clock.now())), signal)
        }
      } while (attempts.length === batchSize)
    },
  })
