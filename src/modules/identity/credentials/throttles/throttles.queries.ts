import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'
import type { Throttle, ThrottleCount } from './throttles.rules.ts'

/** Rows are locked in this order to avoid deadlocks. */
const sortByBucket = (throttles: readonly Throttle[]) =>
  throttles.toSorted((one, other) => one.bucket.compare(other.bucket))

export async function addPendingAttempts(
  tx: TenantTx,
  throttles: readonly Throttle[],
  now: Date,
): Promise<ThrottleCount[]> {
  const sorted = sortByBucket(throttles)
  const windowEnds = sorted.map(({ windowSeconds }) => new Date(now.getTime() + windowSeconds * 1_000))
  const { rows } = await sql<ThrottleCount>`
    insert into identity.auth_throttles as known (bucket, count, pending, window_ends_at)
    select claim.bucket, 0, 1, claim.ends_at
    from unnest(${sorted.map(({ bucket }) => bucket)}::bytea[], ${windowEnds}::timestamptz[])
      with ordinality as claim (bucket, ends_at, place)
    order by claim.place
    on conflict (bucket) do update set
      count = case when known.window_ends_at <= ${now}::timestamptz then 0 else known.count end,
      pending = case when known.window_ends_at <= ${now}::timestamptz then 1 else known.pending + 1 end,
      window_ends_at = case when known.window_ends_at <= ${now}::timestamptz then excluded.window_ends_at else known.window_ends_at end
    returning bucket, count, pending, window_ends_at
  `.execute(tx)
  return rows
}

export async function incrementThrottle(tx: TenantTx, throttle: Throttle, now: Date): Promise<ThrottleCount> {
  const endsAt = new Date(now.getTime() + throttle.windowSeconds * 1_000)
  const { rows } = await sql<ThrottleCount>`
    insert into identity.auth_throttles as known (bucket, count, pending, window_ends_at)
    values (${throttle.bucket}, 1, 0, ${endsAt}::timestamptz)
    on conflict (bucket) do update set
      count = case when known.window_ends_at <= ${now}::timestamptz then 1 else known.count + 1 end,
      window_ends_at = case when known.window_ends_at <= ${now}::timestamptz then excluded.window_ends_at else known.window_ends_at end
    returning bucket, count, pending, window_ends_at
  `.execute(tx)
  return rows[0]!
}

type Settlement = { throttle: Throttle; hasFailed: boolean; isCleared: boolean }

export async function settlePendingAttempts(
  tx: TenantTx,
  settlements: readonly Settlement[],
): Promise<ThrottleCount[]> {
  const { rows } = await sql<ThrottleCount>`
    with settled as (
      select bucket, has_failed, is_cleared
      from unnest(${settlements.map(({ throttle }) => throttle.bucket)}::bytea[],
        ${settlements.map(({ hasFailed }) => hasFailed)}::bool[], ${settlements.map(({ isCleared }) => isCleared)}::bool[])
        as settlement (bucket, has_failed, is_cleared)
    ), held as materialized (
      select bucket from identity.auth_throttles where bucket in (select bucket from settled) order by bucket for update
    )
    update identity.auth_throttles known
    set pending = greatest(0, known.pending - 1),
      count = case when settled.is_cleared then 0 else known.count + settled.has_failed::int end
    from held join settled using (bucket)
    where known.bucket = held.bucket
    returning known.bucket, known.count, known.pending, known.window_ends_at
  `.execute(tx)
  return rows
}

export async function deleteExpiredThrottles(tx: SystemTx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from identity.auth_throttles where bucket in (
      select bucket from identity.auth_throttles where window_ends_at < ${now}::timestamptz limit ${limit}
      for update skip locked
    )
  `.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
