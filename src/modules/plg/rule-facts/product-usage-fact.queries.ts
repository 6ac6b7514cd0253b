import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { addDays, dayInTimezone } from '#platform/calendar'
import { defineFact } from '#platform/rules'
import { strict } from '#platform/schema'
import { EventName } from '../settings/plg-settings.schemas.ts'
import { findState } from '../states/states.queries.ts'

const objectTypes = ['lead', 'contact', 'account'] as const
type ObjectType = (typeof objectTypes)[number]

type UsageParams = {
  event?: string
  min_events: number
  min_days?: number
  window_days: number
  generation: number
}
type LocalNow = { now: Date; timezone: string }

/** The people or accounts of the product that are linked to a record did an event often enough, counted together. */
export const productUsageFact = defineFact({
  name: 'product_usage',
  objectTypes,
  params: strict({
    event: Type.Optional(EventName),
    min_events: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    min_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    window_days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
  }),
  async resolve(tx, params, report): Promise<UsageParams | undefined> {
    const { min_days, window_days } = params
    if (min_days !== undefined && min_days > window_days)
      return report('/min_days', 'range', '`min_days` must not exceed `window_days`.')
    return { ...params, generation: (await findState(tx))?.generation ?? 0 }
  },
  compile(params: UsageParams, { id, objectType, ...context }) {
    const actors = sql`select id from plg.actors where ${linkColumn(objectType)} = ${id} and ${isOfType(objectType)}`
    const counted = sql`select coalesce(sum(events), 0) >= ${params.min_events} and count(distinct day) >= ${params.min_days ?? 0}
      from plg.actor_event_days where actor_id = any (array(${actors})) and ${matches(params, context)}`
    return sql<SqlBool>`(${counted})`
  },
  select(params: UsageParams, { objectType, ...context }) {
    const isAccount = objectType === 'account'
    const days = sql`select distinct actor_id from plg.actor_event_days
      where is_account = ${isAccount} and ${matches(params, context)}`
    const link = linkColumn(objectType)
    const records = sql`select ${link} as record_id from plg.actors
      where id in (${days}) and ${link} is not null and ${isOfType(objectType)}`
    return { records, isExact: params.min_events === 1 && (params.min_days ?? 1) === 1 }
  },
})

const linkColumn = (objectType: string): RawBuilder<string> => sql.ref(`plg.actors.${objectType as ObjectType}_id`)

/** People also have an account, whose usage is that of the product account. */
const isOfType = (objectType: string): RawBuilder<SqlBool> => sql`plg.actors.is_account = ${objectType === 'account'}`

function matches({ event, window_days, generation }: UsageParams, { now, timezone }: LocalNow): RawBuilder<SqlBool> {
  const since = addDays(dayInTimezone(now, timezone), 1 - window_days)
  const isEvent = event === undefined ? sql`true` : sql`name = ${event}`
  return sql`generation = ${generation} and day >= ${since}::date and ${isEvent}`
}
