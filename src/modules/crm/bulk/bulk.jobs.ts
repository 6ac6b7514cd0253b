import { type Static, Type } from 'typebox'
import { resolveTaskRequester, TaskRequester, toTaskRequester } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, startTask } from '#platform/tasks'
import { applyToLeads } from './apply-to-leads.service.ts'
import { addOutcomes, type BulkProgress, noProgress } from './bulk.rules.ts'
import type { BulkParams } from './bulk.schemas.ts'
import { findBulkAction } from './bulk-selection.service.ts'

const BulkTaskInput = strict({
  action: Type.String(),
  params: Type.Unsafe<BulkParams>({ type: 'object' }),
  lead_ids: Type.Array(Id),
  by: TaskRequester,
})
const bulkTask = defineTask('leads.bulk', 'bulk', BulkTaskInput)

const chunkSize = 50

type BulkTask = Omit<Static<typeof BulkTaskInput>, 'by'>

export function startBulkTask(tx: TenantTx, actor: UserActor, task: BulkTask) {
  const total = task.lead_ids.length
  const details = { title: `${task.action.replaceAll('_', ' ')}: ${total} leads`, total }
  return startTask(tx, bulkTask, { ...task, by: toTaskRequester(actor) }, details)
}

type BulkServices = Pick<Services, 'db' | 'clock' | 'registry'>

/** The checkpoint is saved in the transaction of its chunk, so a retry neither repeats nor skips leads. */
export const bulkUpdateLeadsHandler = (services: BulkServices): JobHandler =>
  defineTaskHandler<typeof BulkTaskInput, BulkProgress>(
    bulkTask,
    async (context, { action: name, params, lead_ids, by }) => {
      const { checkpoint, signal } = context
      const action = findBulkAction(services, name)
      if (!action) throw new Error(`Unknown bulk action ${name}.`)
      const scopes: Scope[] = ['leads.write', ...(action.scope ? [action.scope] : [])]
      let progress = checkpoint.value ?? noProgress
      context.reportProgress(progress.done, lead_ids.length)

      const resolveActor = (): Promise<UserActor | undefined> =>
        context
          .inTenant((tx) => resolveTaskRequester(tx, by, { scopes, now: services.clock.now() }))
          .catch(context.failWith)
      const applyNextChunk = async (tx: TenantTx, actor: UserActor): Promise<BulkProgress> => {
        const ids = lead_ids.slice(progress.done, progress.done + chunkSize)
        const outcomes = await applyToLeads(tx, ids, { action, params, actor, now: services.clock.now() })
        const next = addOutcomes(progress, outcomes)
        await checkpoint.save(tx, next)
        return next
      }
      while (progress.done < lead_ids.length && !(await context.isCancelled())) {
        const actor = await resolveActor()
        if (!actor) break
        progress = await retryOnContention(
          () => inTenant(services.db, actor, (tx) => applyNextChunk(tx, actor), 'job'),
          signal,
        )
        context.reportProgress(progress.done)
      }
      const { done: _, ...counts } = progress
      return { action: name, total: lead_ids.length, ...counts }
    },
  )
