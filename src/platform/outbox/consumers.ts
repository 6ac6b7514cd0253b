import { sql } from 'kysely'
import { inSystem, type SystemDb, type SystemTx, type TenantTx } from '#platform/db'
import type { JobLog } from '#platform/jobs'
import { listAsyncSubscriptions } from './subscriptions.ts'

const refreshMs = 10 * 60_000

/** Registers the consumers of this process, which relays of all versions fan out events to, and repeats it until stopped. */
export async function startConsumerRegistration({ systemDb, log }: { systemDb: SystemDb; log: JobLog }) {
  const register = () => inSystem(systemDb, registerConsumers)
  await register()
  const timer = setInterval(() => {
    register().catch((err) => log.warn({ err }, 'registering event consumers failed'))
  }, refreshMs)
  return { stop: () => clearInterval(timer) }
}

export async function registerConsumers(tx: SystemTx): Promise<void> {
  const pairs = listAsyncSubscriptions(tx).flatMap(({ consumer, types, isOptIn = false }) =>
    [...types].map((type) => ({ type, consumer, isOptIn })),
  )
  // Sorted, because processes that start together lock the same rows.
  await sql`
    insert into platform.event_consumers (type, consumer, is_opt_in)
    select pair.* from unnest(${pairs.map(({ type }) => type)}::text[], ${pairs.map(({ consumer }) => consumer)}::text[],
      ${pairs.map(({ isOptIn }) => isOptIn)}::boolean[]) as pair (type, consumer, is_opt_in) order by 1, 2
    on conflict (type, consumer) do update set seen_at = now(), is_opt_in = excluded.is_opt_in
  `.execute(tx)
}

export async function isConsumerRegistered(tx: TenantTx, type: string, consumer: string): Promise<boolean> {
  const row = await tx
    .selectFrom('platform.event_consumers')
    .select('consumer')
    .where('type', '=', type)
    .where('consumer', '=', consumer)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes consumers that no process has registered for a day, because they were removed from the code. */
export async function deleteRetiredConsumers(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ consumer: string }>`
    delete from platform.event_consumers where seen_at < now() - interval '1 day' returning consumer
  `.execute(tx)
  return [...new Set(rows.map(({ consumer }) => consumer))]
}
