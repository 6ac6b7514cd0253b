import { setTimeout as sleep } from 'node:timers/promises'
import type { Acme } from './soak.ts'

/** What the queue does by itself when the heart of a worker has not beaten for a while. */
export async function missAtOnce(acme: Acme): Promise<void> {
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
}

/** Waits until all events of a workspace are passed on. Tells how many are not, if that takes too long. */
export async function allRelayed(acme: Acme, seconds = 60): Promise<number> {
  for (const end = Date.now() + seconds * 1_000; ; await sleep(200)) {
    const { rows } = await acme.sql(
      'select count(*)::integer as left from platform.outbox_events where tenant_id = $1 and published_at is null',
      [acme.id],
    )
    if (rows[0].left === 0 || Date.now() > end) return rows[0].left
  }
}
