import { actorOf, selectRows, type TenantTx } from '#platform/db'
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
  const events = changes.flatMap(({ from, to, reason = null, lead_id = null, contact_id = null }) => {
    const stages = [...skippedStages(from, to), to]
    return stages.map((stage, index) => {
      const implied = index < stages.length - 1
      const change = {
        from_stage: stages[index - 1] ?? from,
        to_stage: stage,
        implied,
        reason: implied ? null : reason,
      }
      return { id: newId(), lead_id, contact_id, ...change, actor_user_id, at }
    })
  })
  const { columns, rows } = selectRows(events, {
    id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    from_stage: 'text',
    to_stage: 'text',
    implied: 'boolean',
    reason: 'text',
    actor_user_id: 'uuid',
    at: 'timestamptz',
  })
  await tx.insertInto('crm.lifecycle_events').columns(columns).expression(rows).execute()
}
