import { completeTasks } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { listRuns } from '../cadence-records/runs.queries.ts'
import { finishRuns } from '../cadence-runs/finish-runs.service.ts'

/** Skips open tasks whose time is over. Activities are locked before runs. */
export async function skipOverdueTasks(tx: TenantTx, runIds: readonly string[], now: Date): Promise<number> {
  const runs = await listRuns(tx, runIds)
  const overdue = runs.filter(({ skip_at }) => skip_at !== null && skip_at <= now)
  await completeTasks(
    tx,
    overdue.flatMap(({ activity_id }) => activity_id ?? []),
    { outcome: 'skipped', at: now },
  )
  const ended = await finishRuns(
    tx,
    overdue.map(({ id }) => ({
      id,
      state: 'skipped',
      skip_reason: 'not_done_in_time',
      at: now,
      measure: 'tasks_skipped',
    })),
  )
  return ended.length
}
