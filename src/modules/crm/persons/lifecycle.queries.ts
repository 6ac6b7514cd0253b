import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { skippedStages } from './lifecycle.rules.ts'

type StageChange = {
  lead_id?: string | null
  contact_id?: string | null
  from: string | null
  to: string
  reason?: string | null
}

/** Inserts stage changes and the skipped stages they imply, so that no funnel stage exceeds the previous one. */
export async function insertLifecycleEvents(tx: TenantTx, changes: readonly StageChange[], at: Date): Promise<void> {
  if (!changes.length) return
  const actor_user_id = actorOf(tx).userId
  const rows = changes.flatMap(({ from, to, reason = null, ...subject }) => {
    const stages = [...skippedStages(from, to), to]
    return stages.map((stage, index) => {
      const implied = index < stages.length - 1
      const change = {
        from_stage: stages[index - 1] ?? from,
        to_stage: stage,
        implied,
        reason: implied ? null : reason,
      }
      return { id: newId(), ...subject, ...change, actor_user_id, at }
    })
  })
  await tx.insertInto('crm.lifecycle_events').values(rows).execute()
}
