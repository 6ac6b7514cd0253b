import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

/** What an activity is about: one of them at least. */
export type ActivityParent = {
  lead_id?: string | null
  contact_id?: string | null
  account_id?: string | null
  opportunity_id?: string | null
}

type SystemActivity = { type: string; subject?: string | null; meta?: object; at: Date }

/** Puts what the product itself noticed into the timeline of a record. */
export const noteSystemActivity = (tx: TenantTx, parent: ActivityParent, activity: SystemActivity): Promise<void> =>
  noteSystemActivities(tx, [{ parent, activity }])

/** The same into the timelines of many, in one statement. */
export async function noteSystemActivities(
  tx: TenantTx,
  notes: readonly { parent: ActivityParent; activity: SystemActivity }[],
): Promise<void> {
  if (!notes.length) return
  const rows = notes.map(({ parent, activity: { type, subject = null, meta = {}, at } }) => ({
    id: newId(),
    ...parent,
    type,
    direction: 'none',
    subject,
    occurred_at: at,
    actor_type: 'system',
    actor_user_id: actorOf(tx).userId,
    source: 'system',
    meta: JSON.stringify(meta),
  }))
  await tx.insertInto('crm.activities').values(rows).execute()
}
