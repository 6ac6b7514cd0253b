import { sql } from 'kysely'
import { Type } from 'typebox'
import type { SignedIn } from '#platform/access'
import { afterCursor, type OutsideTx, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id, type PageQuery } from '#platform/schema'
import { statusColumns, statusOf, type TaskStatus } from './task-status.ts'

/** A task, and the number of the last change anyone could see. */
export type SeenTask = { status: TaskStatus; seq: number }

export type TaskFilter = PageQuery & { state?: TaskStatus['state'][]; kind?: string }

/** Whoever started it sees it, and every admin. To all others it does not exist. */
export async function getTask(tx: TenantTx, viewer: SignedIn, id: string): Promise<SeenTask> {
  const task = await tasksSeenBy(tx, viewer)
    .select(statusColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('task'))
  return { status: statusOf(task), seq: task.seq }
}

/** For whoever has shown that they may see it. */
export async function findTask(tx: TenantTx, id: string): Promise<SeenTask | undefined> {
  const task = await tx
    .selectFrom('platform.background_tasks')
    .select(statusColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return task && { status: statusOf(task), seq: task.seq }
}

/** The newest first. */
export async function listTasks(tx: TenantTx, viewer: SignedIn, filter: TaskFilter): Promise<Page<TaskStatus>> {
  let matches = tasksSeenBy(tx, viewer)
  if (filter.state) matches = matches.where('state', '=', sql<string>`any(${filter.state})`)
  if (filter.kind) matches = matches.where('kind', '=', filter.kind)

  let page = matches
    .select(statusColumns)
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
  if (filter.cursor)
    page = page.where('id', '<', afterCursor(filter.cursor, Type.Array(Id, { minItems: 1, maxItems: 1 }))[0]!)
  else page = page.offset(filter.offset)

  const tasks = await page.execute()
  const total = await totalOf(tx, matches, filter)
  const { items, ...rest } = toPage(tasks, total, filter, ({ id }) => [id])
  return { ...rest, items: items.map(statusOf) }
}

function tasksSeenBy(tx: TenantTx, { role, userId }: SignedIn) {
  const tasks = tx.selectFrom('platform.background_tasks')
  return role === 'admin' ? tasks : tasks.where('created_by', '=', userId)
}

/** How far tasks of several tenants have got, in one statement. */
export async function changesOf(
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
