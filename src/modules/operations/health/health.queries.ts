import { sql } from 'kysely'
import type { OutsideTx } from '#platform/db'

/** The least one can ask: whether there is an answer. */
export async function askDatabase(tx: OutsideTx): Promise<void> {
  await sql`select`.execute(tx)
}
