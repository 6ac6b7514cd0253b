import { sql } from 'kysely'
import { inSystem, type SystemDb, type SystemTx, type TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
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

/** Registers the consumers of this process; with `isRefresh` only those that no process has registered for ten minutes. */
export async function registerConsumers(tx: SystemTx, { isRefresh = false } = {}): Promise<void> {
  const pairs = listAsyncSubscriptions(tx).flatMap(({ consumer, types, isOptIn = false }) =>
    [...types].map((type) => ({ type, consumer, isOptIn })),
  )
  // Sorted, because processes that start together lock the same rows.
  await sql`
    insert into platform.event_consumers (type, consumer, is_opt_in)
    select pair.* from unnest(${pairs.map(({ type }) => type)}::text[], ${pairs.map(({ consumer }) => consumer)}::text[],
      ${pairs.map(({ isOptIn }) => isOptIn)}::boolean[]) as pair (type, consumer, is_opt_in)
    where not (${isRefresh}::boolean and exists (
      select from platform.event_consumers seen
      where seen.type = pair.type and seen.consumer = pair.consumer and seen.seen_at > now() - interval '10 minutes'))
    order by 1, 2
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

/** Deletes consumers that no process has registered for a week, because they were removed from the code. */
export async function deleteRetiredConsumers(tx: SystemTx): Promise<string[]> {
  // After a suspended machine or a changed clock the consumers of this process look retired, too.
  await registerConsumers(tx, { isRefresh: true })
  const { rows } = await sql<{ consumer: string }>`
    delete from platform.event_consumers where seen_at < now() - interval '7 days' returning consumer
  `.execute(tx)
  return [...new Set(rows.map(({ consumer }) => consumer))]
}

export type Consumer = { consumer: string; types: string[]; seen_at: Date }

export async function listConsumers(tx: SystemTx): Promise<Consumer[]> {
  const { rows } = await sql<Consumer>`
    select consumer, array_agg(type order by type) as types, max(seen_at) as seen_at
    from platform.event_consumers group by consumer order by consumer
  `.execute(tx)
  return rows
}

/** Deletes a consumer that was removed from the code, before the week is over. */
export async function deleteConsumer(tx: SystemTx, consumer: string): Promise<void> {
  const existing = (await listConsumers(tx)).find((row) => row.consumer === consumer)
  if (!existing) throw notFound('event consumer')
  const { rows } = await sql`
    delete from platform.event_consumers
    where consumer = ${consumer} and not exists (
      select from platform.event_consumers seen
      where seen.consumer = ${consumer} and seen.seen_at > now() - interval '30 minutes')
    returning consumer
  `.execute(tx)
  if (!rows.length)
    throw conflict(
      'conflict',
      `A process registered the consumer ${consumer} at ${existing.seen_at.toISOString()}. Stop the processes of its version and wait for 30 minutes.`,
    )
}
