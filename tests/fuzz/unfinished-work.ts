import { setTimeout as sleep } from 'node:timers/promises'
import type { MatrixApp } from '../matrix/matrix-app.ts'

const openTransactions = `select state, wait_event, left(query, 200) as query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    and (xact_start is not null or state like 'idle in transaction%')`

/** Describes transactions and connections that are still in use although all requests have ended. */
export async function findUnfinishedWork({ owner, services }: MatrixApp): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const { rows } = await owner.query(openTransactions)
    const { totalCount, idleCount, waitingCount } = services.db.pool
    const found = [
      ...rows.map((row) => `open transaction: ${JSON.stringify(row)}`),
      ...(totalCount > idleCount ? [`${totalCount - idleCount} connections were not released`] : []),
      ...(waitingCount ? [`${waitingCount} callers wait for a connection`] : []),
    ]
    // Writes after the response, such as usage counts, end within a moment.
    if (!found.length || tries === 40) return found
    await sleep(50)
  }
}
