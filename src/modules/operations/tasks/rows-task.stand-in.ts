import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { Type } from 'typebox'
import { defineTask, defineTaskHandler, type TaskContext } from '#platform/tasks'

/** Test task that counts in `test_rows.times` how often each row was processed. */
export const processRows = defineTask(
  'test.process_rows',
  'bulk',
  Type.Object({ rows: Type.Integer(), batch_size: Type.Integer(), pause_ms: Type.Integer() }),
)

export const processRowsHandler = defineTaskHandler(
  processRows,
  async (task: TaskContext<{ done: number }>, payload) => {
    const { rows, batch_size, pause_ms } = payload
    let done = task.checkpoint.value?.done ?? 0
    while (done < rows) {
      if (await task.isCancelled()) return { rows_done: done }
      const last = Math.min(done + batch_size, rows)
      await task.inTenant(async (tx) => {
        await sql`
        update test_rows set times = times + 1
        where tenant_id = platform.current_tenant_id() and number > ${done} and number <= ${last}
      `.execute(tx)
        await task.checkpoint.save(tx, { done: last })
      })
      done = last
      task.reportProgress(done, rows)
      await sleep(pause_ms, undefined, { signal: task.signal })
    }
    return { rows_done: done }
  },
)

export const createRowsTable = (owner: pg.Pool) =>
  owner.query(`
    create table test_rows (tenant_id uuid not null, number integer not null, times integer not null default 0,
      primary key (tenant_id, number));
    grant select, update on test_rows to app`)

/** Returns the number of rows by how often they were processed. */
export async function countRowsByTimes(owner: pg.Pool, tenantId: string): Promise<Record<string, number>> {
  const { rows } = await owner.query(
    'select times, count(*)::int as rows from test_rows where tenant_id = $1 group by times order by times',
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ times, rows: count }) => [times, count]))
}
