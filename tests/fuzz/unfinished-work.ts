import { setTimeout as sleep } from 'node:timers/promises'
import { createIntegrityRunner } from '../../src/modules/operations/integrity/integrity.fixture.ts'
import { runPendingJobs } from '../matrix/leaks.ts'
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

/** Deactivated users of the fixtures have sessions, because their state is changed in the database. */
const ignoredChecks = ['session_of_inactive_user']

/** Runs the jobs that the requests have started, and describes jobs that fail and data that no longer fits together. */
export async function findDamage(app: MatrixApp, tenantIds: readonly string[]): Promise<string[]> {
  const pending = await runPendingJobs(app, 6_000)
  const errors = app.logLines.splice(0).map((line) => JSON.parse(line))
  const found = [
    ...(pending ? [`${pending} jobs and events were not processed`] : []),
    ...errors.map(({ msg, err, ...fields }) => `the worker logged "${msg}" ${JSON.stringify(fields)} ${err?.stack}`),
  ]
  const { findAll } = createIntegrityRunner(app.services)
  for (const tenantId of tenantIds)
    for (const { code, status, samples } of await findAll(tenantId))
      if (status !== 'ok' && !ignoredChecks.includes(code))
        found.push(`integrity check ${code}: ${status} ${JSON.stringify(samples.slice(0, 3))}`)
  return found
}
