import { sql } from 'kysely'
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
