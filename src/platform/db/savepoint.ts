import { sql } from 'kysely'
import type { TenantTx } from './tenant-tx.ts'

/** When `work` fails, what it did is undone and what it locked is free again, and the transaction goes on. */
export async function withinSavepoint<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint within`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint within`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint within`.execute(tx)
    throw error
  }
}
