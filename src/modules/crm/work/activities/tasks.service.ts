import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ActivityRow } from './activities.queries.ts'
import { listContactParents, listLeadParents } from './activity-parents.queries.ts'
import { recordLoggedActivities } from './record-activities.service.ts'
import {
  insertTasks,
  lockOpenTasksById,
  type TaskAssignment,
  updateAssignees,
  updateCompletedTasks,
} from './tasks.queries.ts'

export type NewTask = {
  kind: 'lead' | 'contact'
  /** Id of the lead or contact. */
  id: string
  assignee_id: string
  subject: string
  body: string | null
  due_at: Date
  external_id: string
  meta: Record<string, string>
}

/**
 * Writes tasks of locked leads and contacts with a fixed number of statements, and returns their ids by `external_id`. A known
 * `external_id` and a missing record are left out. The assignee may change the task.
 */
export async function createTasks(tx: TenantTx, tasks: readonly NewTask[], now: Date): Promise<Map<string, string>> {
  if (!tasks.length) return new Map()
  const idsOf = (kind: NewTask['kind']) => tasks.filter((task) => task.kind === kind).map(({ id }) => id)
  const [leads, contacts] = await Promise.all([
    listLeadParents(tx, idsOf('lead')),
    listContactParents(tx, idsOf('contact')),
  ])
  const leadById = new Map(leads.map((lead) => [lead.id, lead]))
  const contactById = new Map(contacts.map((contact) => [contact.id, contact]))
  const parentsOf = ({ kind, id }: NewTask) => {
    const [lead, contact] = [leadById.get(id), contactById.get(id)]
    if (kind === 'lead') return lead && { lead_id: id, contact_id: lead.contact_id, account_id: lead.account_id }
    return contact && { lead_id: null, contact_id: id, account_id: contact.account_id }
  }
  const rows = tasks.flatMap((task) => {
    const parents = parentsOf(task)
    const { subject, body, due_at, assignee_id, external_id, meta } = task
    const actor = { actor_type: 'automation', actor_user_id: assignee_id }
    const content = {
      type: 'task',
      direction: 'none',
      source: 'cadence',
      subject,
      body,
      due_at,
      assignee_id,
      external_id,
      meta,
    }
    return parents ? [{ id: newId(), ...parents, ...content, ...actor, occurred_at: now }] : []
  })
  const inserted = await insertTasks(tx, rows)
  await recordLoggedActivities(tx, inserted, { leadById, contactById })
  return new Map(inserted.map(({ external_id, id }) => [external_id!, id]))
}

type Completion = { outcome: string | null; body?: string | null; at: Date }

/** Completes those of the tasks that are open, with a fixed number of statements. */
export async function completeTasks(
  tx: TenantTx,
  ids: readonly string[],
  { outcome, body = null, at }: Completion,
): Promise<void> {
  await changeOpenTasks(tx, ids, (open) => updateCompletedTasks(tx, open, { outcome, body, at }))
}

/** Gives those of the tasks that are open to other users, with a fixed number of statements. */
export const reassignTasks = (tx: TenantTx, tasks: readonly TaskAssignment[]): Promise<void> =>
  changeOpenTasks(
    tx,
    tasks.map(({ id }) => id),
    (open) =>
      updateAssignees(
        tx,
        tasks.filter(({ id }) => open.includes(id)),
      ),
  )

async function changeOpenTasks(
  tx: TenantTx,
  ids: readonly string[],
  change: (openIds: readonly string[]) => Promise<ActivityRow[]>,
): Promise<void> {
  if (!ids.length) return
  const open = await lockOpenTasksById(tx, ids)
  if (!open.length) return
  const before = new Map(open.map((task) => [task.id, task]))
  const changed = await change([...before.keys()])
  await recordAuditEntries(
    tx,
    'activity.updated',
    changed.map((task) => ({
      id: task.id,
      label: task.subject ?? task.type,
      before: before.get(task.id),
      after: task,
    })),
  )
}
