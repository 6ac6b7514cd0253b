import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Granularity } from './days.rules.ts'
import { type Asked, beginning, leadsAsked, recentSteps, sumsBy } from './facts.queries.ts'
import { mostTimes } from './kpis.queries.ts'
import { millisecondsOf } from './tallies.queries.ts'
import { type Sums, type Timed, timedThings } from './tallies.rules.ts'

/** The middle and the ninth tenth of how long each thing took. */
export type Times = Record<Timed, [number, number] | null>
export type FoundSteps = { thing: Timed; step: number; n: number }[]
type Answer = { sums: Sums[] | null; times: Times | null; steps: FoundSteps | null }

/** Leads by stretch of time, source and owner, and how long things took: one by one, or of very many leads in steps. */
export async function readAnalytics(
  tx: TenantTx,
  asked: Asked,
  granularity: Granularity,
  most = mostTimes,
): Promise<Answer> {
  const bucket = sql`date_trunc(${sql.lit(granularity)}, day::timestamp)::date`
  const leads = sql`(select coalesce(sum(leads), 0) from told where part = 'bucket')`
  const isFew = sql<boolean>`${leads} <= ${sql.lit(most)}`
  const percentiles = sql.join(
    timedThings.map(
      (thing) =>
        sql`percentile_cont(array[0.5, 0.9]) within group (order by ${millisecondsOf(thing)}) as ${sql.ref(thing)}`,
    ),
  )
  const answer = sql<Answer>`(
    with ${beginning(asked)},
    told as materialized (
      ${sumsBy('bucket', bucket, asked)}
      union all ${sumsBy('source', sql`source`, asked, { source: true })}
      union all ${sumsBy('owner', sql`owner_id`, asked, { owner: true })}
    )
    select (select json_agg(told) from told) as sums,
      (select to_json(times) from (
        select ${percentiles} from crm.leads lead where deleted_at is null and ${leadsAsked(asked)} and ${isFew}
      ) as times where ${isFew}) as times,
      (select json_agg(steps) from (
        ${recentSteps(asked, sql`not (${isFew})`)}
      ) as steps) as steps
  )`
  return await tx.selectFrom(answer.as('answer')).select(['sums', 'times', 'steps']).executeTakeFirstOrThrow()
}

/** Leads by source alone. */
export async function readSourceSums(tx: TenantTx, asked: Asked): Promise<Sums[]> {
  const answer = sql<Pick<Answer, 'sums'>>`(
    with ${beginning(asked)}
    select json_agg(told) as sums from (${sumsBy('source', sql`source`, asked, { source: true })}) as told
  )`
  const { sums } = await tx.selectFrom(answer.as('answer')).select('sums').executeTakeFirstOrThrow()
  return sums ?? []
}
