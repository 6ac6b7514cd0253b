import { sql } from 'kysely'
import type { SystemTx } from '#platform/db'

/**
 * Tasks that are said to run while nobody holds their job: the worker died, and the job waits for the next one. Until then
 * they wait too. One that changed just now has begun anew since we looked. Returns their ids.
 */
export async function requeueLostTasks(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update platform.background_tasks t
    set state = 'queued', run_id = null
    where t.state = 'running' and t.updated_at < now() - interval '30 seconds' and t.id::text not in (
      select j.data -> 'payload' ->> 'task_id' from pgboss.job_common j
      where j.state = 'active' and j.data -> 'payload' ? 'task_id'
    )
    returning t.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
