import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { contactActivityLogged, leadActivityLogged } from '../../crm.events.ts'
import type { ActivityRow } from './activities.queries.ts'

type Persons = ReadonlyMap<string, { id: string; version: number }>

/** Writes the audit entries and events of inserted activities of persons. Those of a converted lead are events of the lead only. */
export async function recordLoggedActivities(
  tx: TenantTx,
  inserted: readonly ActivityRow[],
  { leadById, contactById }: { leadById: Persons; contactById: Persons },
): Promise<void> {
  await recordAuditEntries(
    tx,
    'activity.created',
    inserted.map((activity) => ({ id: activity.id, label: activity.subject ?? activity.type, after: activity })),
  )
  const dataOf = ({ id, type, direction }: ActivityRow) => ({ activity_id: id, type, direction })
  await emitMany(
    tx,
    leadActivityLogged,
    inserted.flatMap((activity) =>
      activity.lead_id ? [{ subject: leadById.get(activity.lead_id)!, data: dataOf(activity) }] : [],
    ),
  )
  await emitMany(
    tx,
    contactActivityLogged,
    inserted.flatMap((activity) =>
      activity.lead_id || !activity.contact_id
        ? []
        : [{ subject: contactById.get(activity.contact_id)!, data: dataOf(activity) }],
    ),
  )
}
