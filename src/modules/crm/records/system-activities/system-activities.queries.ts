import { actorOf, selectRows, type TenantTx } from '#platform/db'
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
  const activities = entries.map(({ parent, activity: { type, subject = null, meta = {}, at } }) => ({
    id: newId(),
    ...toParentIds(parent),
    type,
    direction: 'none',
    subject,
    occurred_at: at,
    actor_type: 'system',
    actor_user_id: actorOf(tx).userId,
    source: 'system',
    meta,
  }))
  const { columns, rows } = selectRows(activities, {
    id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    account_id: 'uuid',
    opportunity_id: 'uuid',
    type: 'text',
    direction: 'text',
    subject: 'text',
    occurred_at: 'timestamptz',
    actor_type: 'text',
    actor_user_id: 'uuid',
    source: 'text',
    meta: 'jsonb',
  })
  await tx.insertInto('crm.activities').columns(columns).expression(rows).execute()
}

const toParentIds = ({
  lead_id = null,
  contact_id = null,
  account_id = null,
  opportunity_id = null,
}: ActivityParentIds) => ({ lead_id, contact_id, account_id, opportunity_id })
