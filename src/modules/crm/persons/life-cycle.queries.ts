import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { stagesPassed } from './life-cycle.rules.ts'

type Step = {
  lead_id?: string | null
  contact_id?: string | null
  /** Null for a record that is new. */
  from: string | null
  to: string
  reason?: string | null
  now: Date
}

/** Notes a step of somebody's life cycle, and the steps it implies, so that funnels never widen downwards. */
export async function noteStage(tx: TenantTx, { from, to, reason = null, now, ...who }: Step): Promise<void> {
  const actor_user_id = actorOf(tx).userId
  const passed = stagesPassed(from, to)
  const steps = [...passed.map((stage) => ({ stage, implied: true })), { stage: to, implied: false }]
  const rows = steps.map(({ stage, implied }, index) => ({
    id: newId(),
    ...who,
    from_stage: index === 0 ? from : steps[index - 1]!.stage,
    to_stage: stage,
    implied,
    reason: implied ? null : reason,
    actor_user_id,
    at: now,
  }))
  await tx.insertInto('crm.lifecycle_events').values(rows).execute()
}
