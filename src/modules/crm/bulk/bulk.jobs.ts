import { type Static, Type } from 'typebox'
import { type SignedIn, scopesOfRole, systemIn } from '#platform/access'
import { inTenant, retryWhileBusy, type TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { defineTask, handleTask, startTask } from '#platform/tasks'
import { addOutcomes, type Reached, untouched } from './bulk.rules.ts'
import type { Params } from './bulk.schemas.ts'
import { changeChunk, chunkSize } from './bulk-chunk.service.ts'
import { actionNamed } from './bulk-selection.service.ts'

const Order = strict({
  action: Type.String(),
  params: Type.Unsafe<Params>({ type: 'object' }),
  lead_ids: Type.Array(Id),
  /** In whose name: what many leads get is on record as if they had got it one by one. */
  by: strict({
    type: Type.Enum(['user', 'api_key', 'impersonation']),
    role: Type.Enum(['admin', 'manager', 'member', 'viewer']),
    userId: Id,
    actorUserId: nullable(Id),
    sessionId: nullable(Id),
    apiKeyId: nullable(Id),
  }),
})
const bulkTask = defineTask('leads.bulk', 'bulk', Order)

type Wanted = Omit<Static<typeof Order>, 'by'>

export function startBulkTask(tx: TenantTx, actor: SignedIn, order: Wanted) {
  const { role, userId, actorUserId, sessionId, apiKeyId } = actor
  const type = actor.type as Static<typeof Order>['by']['type']
  const total = order.lead_ids.length
  const about = { title: `${order.action.replaceAll('_', ' ')}: ${total} leads`, total }
  return startTask(tx, bulkTask, { ...order, by: { type, role, userId, actorUserId, sessionId, apiKeyId } }, about)
}

type Bulking = Pick<Services, 'db' | 'clock' | 'registry'>

/** The checkpoint is written with its chunk: whoever goes on for a worker that died repeats nothing and forgets nothing. */
export const changingLeads = (services: Bulking): JobHandler =>
  handleTask<typeof Order, Reached>(bulkTask, async (context, { action: name, params, lead_ids, by }) => {
    const { checkpoint, signal, tenantId } = context
    const action = actionNamed(services, name)
    if (!action) throw new Error(`Nobody here knows the bulk action ${name}.`)
    const actor: SignedIn = { ...systemIn(tenantId), ...by, scopes: scopesOfRole(by.role) }
    let reached = checkpoint.value ?? untouched
    context.progress(reached.done, lead_ids.length)

    const changeNext = async (tx: TenantTx): Promise<Reached> => {
      const ids = lead_ids.slice(reached.done, reached.done + chunkSize)
      const outcomes = await changeChunk(tx, ids, { action, params, actor, now: services.clock.now() })
      const next = addOutcomes(reached, outcomes)
      await checkpoint.save(tx, next)
      return next
    }
    while (reached.done < lead_ids.length && !(await context.isCancelled())) {
      reached = await retryWhileBusy(() => inTenant(services.db, actor, changeNext), signal)
      context.progress(reached.done)
    }
    const { done: _, ...counts } = reached
    return { action: name, total: lead_ids.length, ...counts }
  })
