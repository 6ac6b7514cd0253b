import { type Expression, sql } from 'kysely'
import type { SnapshotTx } from '../tenant-tx.ts'

/** Numbers in use as cursor names; the lowest free one is taken, so that the texts of the statements stay few. */
const openCursors = new WeakMap<SnapshotTx, Set<number>>()

/** Reads the rows of a query in batches through a cursor, so that memory does not depend on their number. */
export async function* streamRows<Row>(
  tx: SnapshotTx,
  query: Expression<Row>,
  { batchSize = 1_000 }: { batchSize?: number } = {},
): AsyncGenerator<Row[]> {
  const numbers = openCursors.get(tx) ?? new Set<number>()
  openCursors.set(tx, numbers)
  let number = 0
  while (numbers.has(number)) number++
  numbers.add(number)
  const cursor = sql.id(`rows_${number}`)
  const fetchBatch = () => sql<Row>`fetch ${sql.lit(batchSize)} from ${cursor}`.execute(tx)
  try {
    const declared = sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
    let [{ rows }] = await Promise.all([fetchBatch(), declared])
    while (rows.length > 0) {
      yield rows
      if (rows.length < batchSize) return
      rows = (await fetchBatch()).rows
    }
  } finally {
    numbers.delete(number)
    // Fails if the transaction has failed, whose error is more useful.
    await sql`close ${cursor}`.execute(tx).catch(() => {})
  }
}
