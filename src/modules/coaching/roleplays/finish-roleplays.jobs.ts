import { daysLater, secondsLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { endRoleplay, type OverdueRoleplay } from './end-roleplay.flow.ts'
import {
  listOverdueRoleplays,
  listTenantsWithOverdueRoleplays,
  type OverdueLimits,
} from './overdue-roleplays.queries.ts'

const batchSize = 50
const lostEvaluationSeconds = 120
const idleDays = 1

const limitsAt = (now: Date): OverdueLimits => ({
  evaluatingBefore: secondsLater(now, -lostEvaluationSeconds),
  activeBefore: daysLater(now, -idleDays),
})

/** Scores roleplays whose evaluation was lost, and ends those without a message for a day. */
export const finishRoleplaysSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('enablement.finish_roleplays', '* * * * *', {
    listTenants: (tx) => listTenantsWithOverdueRoleplays(tx, limitsAt(clock.now())),
    async runForTenant({ inTenant, signal }) {
      let roleplays: OverdueRoleplay[]
      do {
        roleplays = await inTenant((tx) => listOverdueRoleplays(tx, limitsAt(clock.now()), batchSize))
        for (const roleplay of roleplays) {
          signal.throwIfAborted()
          await retryOnContention(() => endRoleplay(inTenant, roleplay, clock.now()), signal)
        }
      } while (roleplays.length === batchSize)
    },
  })
