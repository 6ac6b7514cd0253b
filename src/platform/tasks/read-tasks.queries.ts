import { sql } from 'kysely'
import { Type } from 'typebox'
import type { UserActor } from '#platform/access'
import {
  decodeCursor,
  directionOf,
  type OutsideTx,
  type Page,
  planForValues,
  type TenantTx,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { Id, type SortedPageQuery } from '#platform/schema'
import { type StartedTask, type Task, toStartedTask } from './task.ts'
import { statusColumns, type TaskStatus, toTaskStatus } from './task-status.ts'

export type TaskSnapshot = { status: TaskStatus; seq: number }

const SortKey = Type.Tuple([Id])

export type TaskFilter = SortedPageQuery & { state?: TaskStatus['state'][]; kind?: string }

/** Returns 404 unless the viewer started the task or is an admin, who does not see private ones. */
export async function getTask(tx: TenantTx, viewer: UserActor, id: string): Promise<TaskSnapshot> {
  const task = await tasksVisibleTo(tx, viewer)
    .select(statusColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('task'))
  return { status: toTaskStatus(task), seq: task.seq }
}

/** Does not check permissions. */
export async function findTask(tx: TenantTx, id: string): Promise<TaskSnapshot | undefined> {
  const task = await tx
    .selectFrom('platform.background_tasks')
    .select(statusColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return task && { status: toTaskStatus(task), seq: task.seq }
}

export async function findOpenTask(tx: TenantTx, { kind }: Pick<Task, 'kind'>): Promise<StartedTask | undefined> {
  const task = await tx
    .selectFrom('platform.background_tasks')
    .select('id')
    .where('kind', '=', kind)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return task && toStartedTask(task.id)
}

/** Compares with one value if possible, because the index on it is in the order of the list. */
const isOneOf = (values: readonly string[]) =>
  values.length === 1 ? sql<string>`${values[0]}` : sql<string>`any(${values})`

export async function listTasks(tx: TenantTx, viewer: UserActor, filter: TaskFilter): Promise<Page<TaskStatus>> {
  const order = directionOf(filter.sort, '-created_at')
  if (filter.state || filter.kind) await planForValues(tx)
  let matches = tasksVisibleTo(tx, viewer)
  if (filter.state) matches = matches.where('state', '=', isOneOf(filter.state))
  if (filter.kind) matches = matches.where('kind', '=', filter.kind)

  let page = matches
    .select(statusColumns)
    .orderBy('id', order.direction)
    .limit(filter.limit + 1)
  if (filter.cursor) page = page.where('id', order.after, decodeCursor(filter.cursor, SortKey, order)[0])
  else page = page.offset(filter.offset)

  const tasks = await page.execute()
  const total = await totalOf(tx, matches, filter)
  const { items, ...rest } = toPage(tasks, total, filter, ({ id }) => [id], order)
  return { ...rest, items: items.map(toTaskStatus) }
}

/** A private task does not exist for other users, and not for an admin who impersonates its user. */
function tasksVisibleTo(tx: TenantTx, { type, role, userId }: UserActor) {
  const tasks = tx.selectFrom('platform.background_tasks')
  const visible =
    role === 'admin'
      ? tasks.where((eb) => eb.or([eb('is_private', '=', false), eb('created_by', '=', userId)]))
      : tasks.where('created_by', '=', userId)
  return type === 'impersonation' ? visible.where('is_private', '=', false) : visible
}

export async function listTaskSeqs(
  tx: OutsideTx,
  tasks: { tenantId: string; id: string }[],
): Promise<Map<string, number>> {
  const tenants = tasks.map(({ tenantId }) => tenantId)
  const ids = tasks.map(({ id }) => id)
  const { rows } = await sql<{ id: string; seq: number }>`
    select id, seq from platform.task_changes(${tenants}::uuid[], ${ids}::uuid[])
  `.execute(tx)
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}
