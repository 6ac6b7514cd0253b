import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { findRecordNames } from '../../records/references/record-names.queries.ts'
import { type ActivityRow, type ParentKind, parentKinds } from './activities.queries.ts'
import type { OpenTask, OpenTaskQuery } from './activities.schemas.ts'
import { presentActivities } from './activities.service.ts'
import { listOpenTaskRows } from './open-tasks.queries.ts'

export async function listOpenTasks(
  tx: TenantTx,
  actor: UserActor,
  { assignee_id, open_tasks: _openTasks, ...query }: OpenTaskQuery,
): Promise<Page<OpenTask>> {
  const assigneeId = assignee_id === 'me' ? actor.userId : assignee_id
  const { items, ...page } = await listOpenTaskRows(tx, { assigneeId, ...query })
  const records = items.map(toRecord)
  const idsOf = (kind: ParentKind) => records.flatMap((record) => (record.type === kind ? record.id : []))
  const ids = {
    lead: idsOf('lead'),
    contact: idsOf('contact'),
    account: idsOf('account'),
    opportunity: idsOf('opportunity'),
  }
  const [activities, names] = await Promise.all([presentActivities(tx, items), findRecordNames(tx, ids)])
  return {
    ...page,
    items: activities.map((activity, at) => ({
      ...activity,
      record: { ...records[at]!, name: names.get(records[at]!.id) ?? '' },
    })),
  }
}

/** A task of a deal or contact also belongs to their account. */
function toRecord(activity: ActivityRow): { type: ParentKind; id: string } {
  const order: ParentKind[] = ['lead', 'opportunity', 'contact', 'account']
  const type = order.find((kind) => activity[`${kind}_id`] !== null) ?? parentKinds[0]
  return { type, id: activity[`${type}_id`]! }
}
