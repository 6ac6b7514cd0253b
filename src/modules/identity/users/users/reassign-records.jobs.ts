import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import type { Tables } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type TaskContext } from '#platform/tasks'
import { findUser } from '../../workspace/user-records/users.queries.ts'
import { type OwnerColumn, reassignBatch } from './reassign-records.queries.ts'

const Reassignment = strict({ from_user_id: Id, to_user_id: Id })
type Reassignment = { from_user_id: string; to_user_id: string }

export const reassignTask = defineTask('users.reassign', 'bulk', Reassignment)

type ReassignedCounts = Record<string, number>

/** Reassigns all records of a user in the ownable tables of all modules, in batches. */
export const reassignRecordsHandler = (tables: Tables): JobHandler =>
  defineTaskHandler<typeof Reassignment, ReassignedCounts>(reassignTask, async (context, reassignment) => {
    await context.inTenant((tx) => assertSuccessorActive(tx, reassignment.to_user_id))
    let reassigned: ReassignedCounts = context.checkpoint.value ?? {}
    for (const owner of ownerColumns(tables)) {
      while (!(await context.isCancelled())) {
        const next = await reassignNextBatch(context, owner, reassignment, reassigned)
        if (!next) break
        reassigned = next
        context.reportProgress(Object.values(reassigned).reduce((sum, count) => sum + count, 0))
      }
    }
    return { reassigned }
  })

async function assertSuccessorActive(tx: TenantTx, successorId: string): Promise<void> {
  const successor = await findUser(tx, successorId)
  if (successor?.status !== 'active')
    throw conflict('conflict', 'The user who should receive the records is no longer active. Choose another user.')
}

const ownerColumns = (tables: Tables): OwnerColumn[] =>
  Object.entries(tables).flatMap(([table, rules]) => (rules?.ownable ? [{ table, column: rules.ownable }] : []))

function reassignNextBatch(
  context: TaskContext<ReassignedCounts>,
  owner: OwnerColumn,
  { from_user_id, to_user_id }: Reassignment,
  reassigned: ReassignedCounts,
): Promise<ReassignedCounts | undefined> {
  return context.inTenant(async (tx: TenantTx) => {
    const records = await reassignBatch(tx, owner, from_user_id, to_user_id)
    if (records === 0) return undefined
    const next = { ...reassigned, [owner.table]: (reassigned[owner.table] ?? 0) + records }
    const after = { table: owner.table, records, to_user_id }
    await recordAudit(tx, 'user.records_reassigned', { id: from_user_id, after })
    await context.checkpoint.save(tx, next)
    return next
  })
}
