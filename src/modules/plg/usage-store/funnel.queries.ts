import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { FunnelCounts, FunnelQuery } from './usage-store.ts'

const column = (prefix: string, step: number) => sql.ref(`${prefix}${step}`)

/**
 * Reads the step events once in their order. For each step, an event continues the newest attempt that has reached the step before:
 * `s` is the start of that attempt, `x` the time of the step and `p` the time of the previous step.
 */
export async function countFunnelRows(tx: TenantTx, query: FunnelQuery): Promise<FunnelCounts[]> {
  const { kind, steps, since, until, window_seconds } = query
  const actor = sql.ref(kind === 'person' ? 'person_actor_id' : 'account_actor_id')
  const start = sql`
    select ${actor} as actor_id, name, occurred_at as ts, ingest_seq,
      case when name = ${steps[0]} then occurred_at end as s1, case when name = ${steps[0]} then occurred_at end as x1
    from plg.events
    where name = any (${[...new Set(steps)]}::text[]) and occurred_at >= ${since} and occurred_at < ${until} and ${actor} is not null`
  const levels = steps.slice(1).reduce((level, name, index) => addStep(level, index + 2, name, window_seconds), start)
  const reached = steps.map((_, index) => reachStep(index + 1))
  const counts = steps.map((_, index) => countStep(index + 1, steps.length, { until, window_seconds }))
  const { rows } = await sql<FunnelCounts & { step: number }>`
    with events as materialized (${levels}),
    actors as materialized (select ${sql.join(reached)} from events group by actor_id)
    ${sql.join(counts, sql` union all `)} order by step
  `.execute(tx)
  return rows.map(({ step: _, ...counts }) => counts)
}

function addStep(level: RawBuilder<unknown>, step: number, name: string, windowSeconds: number): RawBuilder<unknown> {
  const isReached = sql`name = ${name} and ts - ms <= make_interval(secs => ${windowSeconds})`
  return sql`
    select *, case when ${isReached} then ms end as ${column('s', step)},
      case when ${isReached} then ts end as ${column('x', step)}, case when ${isReached} then mp end as ${column('p', step)}
    from (
      select ${sql.join(columnsUpTo(step - 1).map((known) => sql.ref(known)))},
        max(${column('s', step - 1)}) over earlier as ms, max(${column('x', step - 1)}) over earlier as mp
      from (${level}) as ${column('level', step - 1)}
      window earlier as (partition by actor_id order by ts, ingest_seq rows between unbounded preceding and 1 preceding)
    ) as ${column('windowed', step)}`
}

/** Names the columns, because each level has its own `ms` and `mp`. */
function columnsUpTo(step: number): string[] {
  const steps = Array.from({ length: step }, (_, index) => index + 1)
  return [
    'actor_id',
    'name',
    'ts',
    'ingest_seq',
    ...steps.flatMap((n) => (n === 1 ? ['s1', 'x1'] : [`s${n}`, `x${n}`, `p${n}`])),
  ]
}

/** Starts and times never decrease from event to event, so the smallest ones are those of the first event that reached the step. */
function reachStep(step: number): RawBuilder<unknown> {
  const times = sql`min(${column('x', step)}) as ${column('at', step)}, max(${column('s', step)}) as ${column('newest', step)}`
  return step === 1
    ? times
    : sql`${times}, min(${column('s', step)}) as ${column('started', step)}, min(${column('p', step)}) as ${column('previous', step)}`
}

function countStep(
  step: number,
  steps: number,
  { until, window_seconds }: Pick<FunnelQuery, 'until' | 'window_seconds'>,
): RawBuilder<unknown> {
  const median = (from: RawBuilder<unknown>) =>
    sql`percentile_cont(0.5) within group (order by extract(epoch from ${column('at', step)} - ${from})::double precision)
      filter (where ${column('at', step)} is not null)`
  const isLast = step === steps
  const isInProgress = isLast
    ? sql`false`
    : sql`${column('at', step)} is not null and ${column('at', step + 1)} is null
        and ${column('newest', step)} + make_interval(secs => ${window_seconds}) > ${until}::timestamptz`
  return sql`
    select ${sql.lit(step)} as step, count(${column('at', step)}) as count, count(*) filter (where ${isInProgress}) as in_progress,
      ${step === 1 ? sql`null::double precision` : median(column('previous', step))} as median_seconds_from_previous,
      ${step === 1 ? sql`null::double precision` : median(column('started', step))} as median_seconds_from_start
    from actors`
}
