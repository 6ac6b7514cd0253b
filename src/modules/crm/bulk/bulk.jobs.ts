import { type Static, Type } from 'typebox'
import { actorOfOrder, OrderedBy, orderedBy } from '#modules/identity'
import type { Scope, SignedIn } from '#platform/access'
import { inTenant, retryWhileBusy, type TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
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
  by: OrderedBy,
})
const bulkTask = defineTask('leads.bulk', 'bulk', Order)

type Wanted = Omit<Static<typeof Order>, 'by'>

export function startBulkTask(tx: TenantTx, actor: SignedIn, order: Wanted) {
  const total = order.lead_ids.length
  const about = { title: `${order.action.replaceAll('_', ' ')}: ${total} leads`, total }
  return startTask(tx, bulkTask, { ...order, by: orderedBy(actor) }, about)
}

type Bulking = Pick<Services, 'db' | 'clock' | 'registry'>

/** The checkpoint is written with its chunk: whoever goes on for a worker that died repeats nothing and forgets nothing. */
export const changingLeads = (services: Bulking): JobHandler =>
  handleTask<typeof Order, Reached>(bulkTask, async (context, { action: name, params, lead_ids, by }) => {
    const { checkpoint, signal } = context
    const action = actionNamed(services, name)
    if (!action) throw new Error(`Nobody here knows the bulk action ${name}.`)
    const scopes: Scope[] = ['leads.write', ...(action.scope ? [action.scope] : [])]
    let reached = checkpoint.value ?? untouched
    context.progress(reached.done, lead_ids.length)

    const stillAllowed = (): Promise<SignedIn | undefined> =>
      context.inTenant((tx) => actorOfOrder(tx, by, { scopes, now: services.clock.now() })).catch(context.giveUp)
    const changeNext = async (tx: TenantTx, actor: SignedIn): Promise<Reached> => {
      const ids = lead_ids.slice(reached.done, reached.done + chunkSize)
      const outcomes = await changeChunk(tx, ids, { action, params, actor, now: services.clock.now() })
      const next = addOutcomes(reached, outcomes)
      await checkpoint.save(tx, next)
      return next
    }
    while (reached.done < lead_ids.length && !(await context.isCancelled())) {
      const actor = await stillAllowed()
      if (!actor) break
      reached = await retryWhileBusy(() => inTenant(services.db, actor, (tx) => changeNext(tx, actor)), signal)
      context.progress(reached.done)
    }
    const { done: _, ...counts } = reached
    return { action: name, total: lead_ids.length, ...counts }
  })
