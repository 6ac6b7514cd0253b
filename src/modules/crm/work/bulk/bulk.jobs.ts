import { type Static, Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
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

type BulkServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

export const bulkUpdateLeadsHandler = (services: BulkServices): JobHandler =>
  defineTaskHandler<typeof BulkTaskInput, BulkProgress>(
    bulkTask,
    async (context, { action: name, params, lead_ids, by }) => {
      const action = findBulkAction(services, name)
      if (!action) throw new Error(`Unknown bulk action ${name}.`)
      const { done: _, ...counts } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['leads.write', ...(action.scopes ?? [])],
        start: noProgress,
        isComplete: ({ done }) => done === lead_ids.length,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          const ids = lead_ids.slice(progress.done, progress.done + chunkSize)
          const run = { action, params, actor, now: services.clock.now(), requestKey: context.taskId, services }
          return addOutcomes(progress, await applyToLeads(tx, ids, run))
        },
      })
      return { action: name, total: lead_ids.length, ...counts }
    },
  )
