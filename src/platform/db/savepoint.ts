import { sql } from 'kysely'
import { violatedConstraint } from './database-errors.ts'
import type { TenantTx } from './tenant-tx.ts'

export async function withSavepoint<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint within`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint within`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint within`.execute(tx)
    // The name now refers to the enclosing savepoint again.
    await sql`release savepoint within`.execute(tx)
    throw error
  }
}

class SavepointEnd extends Error {
  override name = 'SavepointEnd'
}

/** Returns the result of `work` and rolls its changes back, which also releases the locks it took. */
export async function withRolledBackSavepoint<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  let result: T
  try {
    return await withSavepoint(tx, async () => {
      result = await work()
      throw new SavepointEnd()
    })
  } catch (error) {
    if (error instanceof SavepointEnd) return result!
    throw error
  }
}

/** Returns false, with the row still there, if other rows refer to it. */
export async function deleteUnlessReferenced(tx: TenantTx, deleteRow: () => Promise<unknown>): Promise<boolean> {
  try {
    await withSavepoint(tx, deleteRow)
    return true
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    return false
  }
}
