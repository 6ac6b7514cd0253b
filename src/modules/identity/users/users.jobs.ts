import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import type { Tables } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, handleTask, type TaskContext } from '#platform/tasks'
import { type OwnerColumn, reassignBatch } from './reassign.queries.ts'
import { findUser } from './users.queries.ts'

const Handover = strict({ from_user_id: Id, to_user_id: Id })
type Handover = { from_user_id: string; to_user_id: string }

export const reassignTask = defineTask('users.reassign', 'bulk', Handover)

/** How many records of each table have a new owner. */
type Reassigned = Record<string, number>

/** Hands over whatever the tables of all modules say a user can own: table by table, a batch at a time. */
export const reassigningRecords = (tables: Tables): JobHandler =>
  handleTask<typeof Handover, Reassigned>(reassignTask, async (context, handover) => {
    await context.inTenant((tx) => assertStillHere(tx, handover.to_user_id))
    const reassigned: Reassigned = { ...context.checkpoint.value }
    for (const owner of ownerColumns(tables)) {
      while (!(await context.isCancelled()) && (await moveBatch(context, owner, handover, reassigned)))
        context.progress(Object.values(reassigned).reduce((sum, count) => sum + count, 0))
    }
    return { reassigned }
  })

async function assertStillHere(tx: TenantTx, successorId: string): Promise<void> {
  const successor = await findUser(tx, successorId)
  if (successor?.status !== 'active')
    throw conflict('conflict', 'Whoever was to take over is not active any more. Name somebody else.')
}

const ownerColumns = (tables: Tables): OwnerColumn[] =>
  Object.entries(tables).flatMap(([table, rules]) => (rules?.ownable ? [{ table, column: rules.ownable }] : []))

/** Whether there was something to move. What was moved is counted with it, so that an attempt that dies counts nothing twice. */
function moveBatch(
  context: TaskContext<Reassigned>,
  owner: OwnerColumn,
  { from_user_id, to_user_id }: Handover,
  reassigned: Reassigned,
): Promise<boolean> {
  return context.inTenant(async (tx: TenantTx) => {
    const records = await reassignBatch(tx, owner, from_user_id, to_user_id)
    if (records === 0) return false
    reassigned[owner.table] = (reassigned[owner.table] ?? 0) + records
    const after = { table: owner.table, records, to_user_id }
    await record(tx, 'user.records_reassigned', { id: from_user_id, after })
    await context.checkpoint.save(tx, reassigned)
    return true
  })
}
