import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { every } from '../lists/walk.queries.ts'
import type { Span } from './days.rules.ts'
import { columns, countLeads, countTimes, isOpen } from './tallies.queries.ts'
import { nobody, type Timed, tallies, timedThings } from './tallies.rules.ts'

/** The leads that are asked about, as of when. Without a span it is all of them. */
export type Asked = { span: Partial<Span>; owner_id?: string; source?: string; now: Date }

type Condition = Expression<SqlBool>
/** By what the figures are told apart, which decides how the counts must have been cut. */
type Grain = { owner?: boolean; source?: boolean }

const daysWithin = (column: RawBuilder<unknown>, { from, to }: Partial<Span>): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${column} >= ${from}::date`]),
  ...(to === undefined ? [] : [sql<boolean>`${column} <= ${to}::date`]),
]

/** The leads themselves, for what is asked of them directly. */
export const leadsAsked = ({ span, owner_id, source }: Omit<Asked, 'now'>): Condition =>
  every([
    ...daysWithin(sql`lead.created_on`, span),
    ...(owner_id === undefined ? [] : [sql<boolean>`lead.owner_id = ${owner_id}::uuid`]),
    ...(source === undefined ? [] : [sql<boolean>`lead.source = ${source}`]),
  ])

/**
 * Of the leads of marked days. They are looked up all at once, as a list of days: joined day by day, hundreds of thousands would be
 * fetched one by one. Nothing else is said of their days, or few rows would be expected, and very many sorted.
 */
const markedLeads = (asked: Asked): Condition =>
  every([
    sql<boolean>`lead.created_on = any (array(select day from marked where ${every(daysWithin(sql`day`, asked.span))}))`,
    leadsAsked({ ...asked, span: {} }),
  ])

/**
 * What every question begins with. All of it is one statement, so that marks, counts and leads are seen as of the same instant:
 * a day is either counted already, or marked and counted here.
 */
export const beginning = (asked: Asked) => sql`
  marked as materialized (
    select distinct day from crm.lead_rollup_dirty where ${every(daysWithin(sql`day`, asked.span))}
  ),
  live as materialized (${countLeads(markedLeads(asked))}),
  -- Time passes without anybody changing a lead: those that fell due a moment ago are noted soon, and count already.
  due as materialized (
    select created_on as day, coalesce(lead.owner_id, ${sql.lit(nobody)}::uuid) as owner_id, source,
      count(*) as n, count(*) filter (where ${isOpen}) as open_n
    from (
      select created_on, owner_id, source, status from crm.leads
      where deleted_at is null and first_responded_at is null and sla_breached_at is null
        and sla_due_at < ${asked.now}::timestamptz
      -- Keeps it to those few: by its days all leads of the span would be read.
      offset 0
    ) as lead where ${leadsAsked(asked)}
    group by 1, 2, 3
  )`

const isUnmarked = sql<boolean>`day not in (select day from marked)`

/** Counts that were made. */
const counted = ({ span, owner_id, source }: Asked, grain: Grain, what: RawBuilder<unknown>) => {
  const [byOwner, bySource] = [grain.owner || owner_id !== undefined, grain.source || source !== undefined]
  const cut = byOwner ? (bySource ? 'owner_source' : 'owner') : bySource ? 'source' : 'all'
  const held = [
    sql<boolean>`cut = ${sql.lit(cut)}`,
    ...daysWithin(sql`day`, span),
    ...(byOwner && owner_id === undefined ? [] : [sql<boolean>`owner_id = ${owner_id ?? nobody}::uuid`]),
    ...(bySource && source === undefined ? [] : [sql<boolean>`source = ${source ?? ''}`]),
  ]
  return sql`select day, owner_id, source, ${what} from crm.lead_rollups where ${every(held)}`
}

const names = sql.join(tallies.map((tally) => sql.ref(tally)))
const noted = { overdue_n: sql`n`, overdue_open_n: sql`open_n`, pending_n: sql`-n` }

/** All counts that answer the question, told apart as far as the grain says. */
const facts = (asked: Asked, grain: Grain) => sql`
  ${counted(asked, grain, names)} and ${isUnmarked}
  union all select day, owner_id, source, ${names} from live
  union all select day, owner_id, source, ${columns(noted)} from due`

/** Sums, under the name of a part of the answer and a key within it. Money comes as text, since it may outgrow a number. */
export const sumsBy = (part: string, key: RawBuilder<unknown>, asked: Asked, grain: Grain = {}) => sql`
  select ${sql.lit(part)} as part, (${key})::text as key, ${sql.join(
    tallies.map((tally) =>
      tally === 'won_base_minor'
        ? sql`sum(won_base_minor)::text as won_base_minor`
        : sql`sum(${sql.ref(tally)})::bigint as ${sql.ref(tally)}`,
    ),
  )} from (${facts(asked, grain)}) as facts group by 2`

const countedSteps = (asked: Asked, things: readonly Timed[], condition: Condition) => sql`
  select thing, array_lower(steps, 1) - 1 + place as step, n
  from (${counted(asked, {}, sql.join(things.map((thing) => sql.ref(`${thing}_steps`))))} and ${condition}) as counted
    cross join lateral (values ${sql.join(
      things.map((thing) => sql`(${sql.lit(thing)}, ${sql.ref(`${thing}_steps`)})`),
    )}) as each (thing, steps)
    cross join lateral unnest(steps) with ordinality as counts (n, place)
  where n > 0`

/** How often something took how long. Answers the same question as the sums, in the same statement. */
export const stepsOf = (asked: Asked, thing: Timed) => sql`
  select step, sum(n)::bigint as n from (
    ${countedSteps(asked, [thing], isUnmarked)}
    union all
    select thing, step, n from (${countTimes(markedLeads(asked), [thing])}) as times
  ) as found group by step`

/** The same of several things, of marked days as they were when last counted: good for an estimate, and cheap. */
export const recentSteps = (asked: Asked, condition: Condition) => sql`
  select thing, step, sum(n)::bigint as n from (${countedSteps(asked, timedThings, condition)}) as found
  group by thing, step`
