import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type SlowStatementSample = {
  id: string
  operation: string
  duration_ms: number
  rows: number
  request_id: string | null
  occurred_at: Date
}

const maxSamples = 1_000

/** Keeps the latest 1,000 samples of a workspace. */
export async function insertSlowStatements(tx: TenantTx, samples: readonly SlowStatementSample[]): Promise<void> {
  const { columns, rows } = selectRows(samples, {
    id: 'uuid',
    operation: 'text',
    duration_ms: 'integer',
    rows: 'integer',
    request_id: 'text',
    occurred_at: 'timestamptz',
  })
  await tx.insertInto('platform.slow_statements').columns(columns).expression(rows).execute()
  await sql`
    delete from platform.slow_statements
    where id < (select id from platform.slow_statements order by id desc offset ${maxSamples - 1}::integer limit 1)
  `.execute(tx)
}

export function listSlowStatements(tx: TenantTx, limit: number): Promise<Omit<SlowStatementSample, 'id'>[]> {
  return tx
    .selectFrom('platform.slow_statements')
    .select(['operation', 'duration_ms', 'rows', 'request_id', 'occurred_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
