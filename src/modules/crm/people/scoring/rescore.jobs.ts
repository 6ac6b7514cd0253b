import { Type } from 'typebox'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineTenantSchedule, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { defineTask, defineTaskHandler, startTask, supersedeTasks } from '#platform/tasks'
import { lockLeads } from '../lead-records/leads.queries.ts'
import { rescoreLeads } from './rescore-leads.service.ts'
import {
  countLeads,
  getScoringConfig,
  listDecayingLeadIdsAfter,
  listLeadIdsAfter,
  listTenantsWithEngagedLeads,
} from './scoring.queries.ts'

const RescoreInput = strict({ version: Type.Integer() })
export const rescoreTask = defineTask('leads.rescore', 'bulk', RescoreInput)

const batchSize = 500
type JobServices = Pick<Services, 'clock'>
type RescoreProgress = { after: string; leads: number }

/** Rescores all leads with the config that is current at each batch. A newer config starts its own task, which cancels this one. */
export const rescoreLeadsHandler = ({ clock }: JobServices): JobHandler =>
  defineTaskHandler<typeof RescoreInput, RescoreProgress>(rescoreTask, async (context, { version }) => {
    const { inTenant, checkpoint, signal } = context
    let progress = checkpoint.value ?? { after: nilUuid, leads: 0 }
    context.reportProgress(progress.leads, await inTenant(countLeads))
    const rescoreBatch = async (tx: TenantTx) => {
      const ids = await listLeadIdsAfter(tx, progress.after, batchSize)
      const last = ids.at(-1)
      if (!last) return undefined
      await rescoreLeads(tx, await lockLeads(tx, ids), { cause: 'config', now: clock.now() })
      const next = { after: last, leads: progress.leads + ids.length }
      await checkpoint.save(tx, next)
      return next
    }
    while (!(await context.isCancelled())) {
      const next = await retryOnContention(() => inTenant(rescoreBatch), signal)
      if (!next) break
      progress = next
      context.reportProgress(progress.leads)
    }
    // A newer config may have been stored during the last batch.
    await context.isCancelled()
    return { version, leads: progress.leads }
  })

export async function startRescore(tx: TenantTx): Promise<void> {
  const { version } = await getScoringConfig(tx)
  await supersedeTasks(tx, rescoreTask)
  await startTask(tx, rescoreTask, { version }, { title: 'Rescore all leads' })
}

/** Decays engagement scores every night. Scores are as of midnight (UTC), so a second run on the same day finds no leads. */
export const decayScoresSchedule = ({ clock }: JobServices) =>
  defineTenantSchedule('crm.decay_scores', '7 0 * * *', {
    listTenants: listTenantsWithEngagedLeads,
    async runForTenant({ inTenant, signal }) {
      const midnight = new Date(clock.now().setUTCHours(0, 0, 0, 0))
      let after: string | undefined = nilUuid
      const decayBatch = async (tx: TenantTx) => {
        const ids = await listDecayingLeadIdsAfter(tx, after!, midnight, batchSize)
        await rescoreLeads(tx, await lockLeads(tx, ids), { cause: 'decay', now: midnight })
        return ids.at(-1)
      }
      while (after) {
        signal.throwIfAborted()
        after = await retryOnContention(() => inTenant(decayBatch), signal)
      }
    },
  })
