import { Type } from 'typebox'
import { listTenantIds } from '#modules/identity'
import { retryWhileBusy, type TenantTx } from '#platform/db'
import { defineSchedule, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { defineTask, handleTask } from '#platform/tasks'
import { lockLeads } from '../leads/leads.queries.ts'
import { countLeads, fadingLeadIdsAfter, leadIdsAfter } from './scoring.queries.ts'
import { rescoreLeads } from './scoring.service.ts'

const Order = strict({ version: Type.Integer() })
export const rescoreTask = defineTask('leads.rescore', 'bulk', Order)

const batchSize = 500
/** Every id comes after it. */
export const beforeAllLeads = '00000000-0000-0000-0000-000000000000'

type Timing = Pick<Services, 'clock'>
type Reached = { after: string; leads: number }

/** All leads by the newest rules, whichever these are when their batch comes. Newer rules bring a newer task, which stops this one. */
export const rescoringLeads = ({ clock }: Timing): JobHandler =>
  handleTask<typeof Order, Reached>(rescoreTask, async (context, { version }) => {
    const { inTenant, checkpoint, signal } = context
    let reached = checkpoint.value ?? { after: beforeAllLeads, leads: 0 }
    context.progress(reached.leads, await inTenant(countLeads))

    const rescoreBatch = async (tx: TenantTx) => {
      const ids = await leadIdsAfter(tx, reached.after, batchSize)
      const last = ids.at(-1)
      if (!last) return undefined
      await rescoreLeads(tx, await lockLeads(tx, ids), { cause: 'config', now: clock.now() })
      const next = { after: last, leads: reached.leads + ids.length }
      await checkpoint.save(tx, next)
      return next
    }
    while (!(await context.isCancelled())) {
      const next = await retryWhileBusy(() => inTenant(rescoreBatch), signal)
      if (!next) break
      reached = next
      context.progress(reached.leads)
    }
    // Rules may have come while the last batch was scored.
    await context.isCancelled()
    return { version, leads: reached.leads }
  })

/**
 * Every night what leads did counts a little less. They are scored as of midnight (UTC), and those that were scored since are
 * left out: so a second run on the same day finds nothing to do.
 */
export const fadingScores = ({ clock }: Timing) =>
  defineSchedule('crm.fade_scores', '7 0 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const midnight = new Date(clock.now().setUTCHours(0, 0, 0, 0))
    for (const tenantId of await inSystem(listTenantIds)) {
      let after: string | undefined = beforeAllLeads
      const fadeBatch = async (tx: TenantTx) => {
        const ids = await fadingLeadIdsAfter(tx, after!, midnight, batchSize)
        await rescoreLeads(tx, await lockLeads(tx, ids), { cause: 'decay', now: midnight })
        return ids.at(-1)
      }
      try {
        while (after) {
          signal.throwIfAborted()
          after = await retryWhileBusy(() => inTenant(tenantId, fadeBatch), signal)
        }
      } catch (err) {
        signal.throwIfAborted()
        // One workspace in trouble does not keep the scores of all others from fading.
        log.error({ err, tenant_id: tenantId }, 'scores did not fade')
      }
    }
  })
