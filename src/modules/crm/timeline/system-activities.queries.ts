import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

/** At least one id must be set. */
export type ActivityParentIds = {
  lead_id?: string | null
  contact_id?: string | null
  account_id?: string | null
  opportunity_id?: string | null
}

type SystemActivity = { type: string; subject?: string | null; meta?: object; at: Date }

export const insertSystemActivity = (
  tx: TenantTx,
  parent: ActivityParentIds,
  activity: SystemActivity,
): Promise<void> => insertSystemActivities(tx, [{ parent, activity }])

export async function insertSystemActivities(
  tx: TenantTx,
  entries: readonly { parent: ActivityParentIds; activity: SystemActivity }[],
): Promise<void> {
  if (!entries.length) return
  const rows = entries.map(({ parent, activity: { type, subject = null, meta = {}, at } }) => ({
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
