import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { type ActivityRow, activityColumns, insertSelected } from './activities.queries.ts'

type NewTaskRow = Pick<
  ActivityRow,
  | 'id'
  | 'lead_id'
  | 'contact_id'
  | 'account_id'
  | 'type'
  | 'direction'
  | 'subject'
  | 'body'
  | 'occurred_at'
  | 'due_at'
  | 'assignee_id'
  | 'actor_type'
  | 'actor_user_id'
  | 'source'
  | 'external_id'
  | 'meta'
>

export function insertTasks(tx: TenantTx, tasks: readonly NewTaskRow[]): Promise<ActivityRow[]> {
  const selected = selectRows(tasks, {
    id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    account_id: 'uuid',
    type: 'text',
    direction: 'text',
    subject: 'text',
    body: 'text',
    occurred_at: 'timestamptz',
    due_at: 'timestamptz',
    assignee_id: 'uuid',
    actor_type: 'text',
    actor_user_id: 'uuid',
    source: 'text',
    external_id: 'text',
    meta: 'jsonb',
  })
  return insertSelected(tx, selected)
}

export function lockOpenTasksById(tx: TenantTx, ids: readonly string[]): Promise<ActivityRow[]> {
  return tx
    .selectFrom('crm.activities')
    .select(activityColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('type', '=', sql.lit('task'))
    .where('completed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** For locked tasks. Text that the task already has stays if there is no new one. */
export function updateCompletedTasks(
  tx: TenantTx,
  ids: readonly string[],
  { outcome, body, at }: { outcome: string | null; body: string | null; at: Date },
): Promise<ActivityRow[]> {
  return tx
    .updateTable('crm.activities')
    .set({ completed_at: at, outcome, body: sql`coalesce(${body}, body)` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(activityColumns)
    .execute()
}

export type TaskAssignment = { id: string; assignee_id: string }

/** For locked tasks. The assignee also becomes the user of the entry, who may change it. */
export async function updateAssignees(tx: TenantTx, tasks: readonly TaskAssignment[]): Promise<ActivityRow[]> {
  const { rows } = await sql<ActivityRow>`
    update crm.activities activity set assignee_id = task.assignee_id, actor_user_id = task.assignee_id
    from json_to_recordset(${JSON.stringify(tasks)}::json) as task (id uuid, assignee_id uuid)
    where activity.id = task.id and activity.id = any(${tasks.map(({ id }) => id)}::uuid[])
    returning ${sql.join(activityColumns.map((column) => sql.ref(`activity.${column}`)))}
  `.execute(tx)
  return rows
}

/** Deleted tasks are left out. */
export async function listTaskStates(
  tx: TenantTx,
  ids: readonly string[],
): Promise<Map<string, { isCompleted: boolean; assigneeId: string | null }>> {
  const rows = await tx
    .selectFrom('crm.activities')
    .select(['id', 'completed_at', 'assignee_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('type', '=', sql.lit('task'))
    .execute()
  return new Map(
    rows.map(({ id, completed_at, assignee_id }) => [
      id,
      { isCompleted: completed_at !== null, assigneeId: assignee_id },
    ]),
  )
}
