import { setTimeout as sleep } from 'node:timers/promises'
import type { TestWorkspace } from './soak.ts'

/** Does what the queue does after the heartbeat timeout of a worker. */
export async function requeueActiveJobs(acme: TestWorkspace): Promise<void> {
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
}

/** Waits until all events of the workspace are published. Returns the number of unpublished events after the timeout. */
export async function waitForPublishedEvents(acme: TestWorkspace, seconds = 60): Promise<number> {
  for (const end = Date.now() + seconds * 1_000; ; await sleep(200)) {
    const { rows } = await acme.sql(
      'select count(*)::integer as pending from platform.outbox_events where tenant_id = $1 and published_at is null',
      [acme.id],
    )
    if (rows[0].pending === 0 || Date.now() > end) return rows[0].pending
  }
}
