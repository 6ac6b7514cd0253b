import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { startOfDaysAgo } from '#platform/calendar'
import { allOf } from '#platform/db'
import type { RuleContext } from '#platform/rules'
import { defineFact } from '#platform/rules'
import { strict } from '#platform/schema'
import { type ParentKind, parentKinds } from './activities.queries.ts'
import { activityTypes } from './activity.rules.ts'

const maxCount = 1_000
const count = { minimum: 0, maximum: maxCount }

export const activityFact = defineFact({
  name: 'activity',
  objectTypes: parentKinds,
  params: strict({
    types: Type.Array(Type.Enum([...activityTypes]), { minItems: 1, maxItems: activityTypes.length }),
    direction: Type.Optional(Type.Enum(['in', 'out', 'none'])),
    min: Type.Integer({ ...count, default: 1 }),
    max: Type.Optional(Type.Integer(count)),
    within_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  }),
  async resolve(_tx, params, report) {
    const { min, max } = params
    return max !== undefined && max < min ? report('/max', 'order', '`max` must not be less than `min`.') : params
  },
  compile(params, { id, objectType, ...context }) {
    const { min, max } = params
    const isOfRecord = sql<SqlBool>`${parentColumn(objectType)} = ${id}`
    const matches = sql`select from crm.activities activity where ${allOf([isOfRecord, ...matching(params, context)])}`
    if (min === 1 && max === undefined) return sql<SqlBool>`exists (${matches})`
    const limit = max === undefined ? min : max + 1
    return sql<SqlBool>`(select count(*) from (${matches} limit ${limit}::bigint) as matching)
      between ${min}::bigint and ${max ?? maxCount}::bigint`
  },
  select(params, { objectType, ...context }) {
    const { min, max } = params
    if (min === 0) return undefined
    const parent = parentColumn(objectType)
    // Literals of the known types, because the planner must know how rare they are.
    const isOfType = sql<SqlBool>`activity.type in (${sql.join(params.types.toSorted().map((type) => sql.lit(type)))})`
    const conditions = [isOfType, sql<SqlBool>`${parent} is not null`, ...matching({ ...params, types: null }, context)]
    const records = sql`select ${parent} as record_id from crm.activities activity where ${allOf(conditions)}`
    return { records, isExact: min === 1 && max === undefined }
  },
})

const parentColumn = (objectType: string) => sql.ref(`activity.${objectType as ParentKind}_id`)

type ActivityParams = { types: string[] | null; direction?: string; within_days?: number }

const matching = (
  { types, direction, within_days }: ActivityParams,
  context: Pick<RuleContext, 'now' | 'timezone'>,
) => [
  ...(types ? [sql<SqlBool>`activity.type = any (${types}::text[])`] : []),
  ...(direction ? [sql<SqlBool>`activity.direction = ${direction}`] : []),
  ...(within_days ? [sql<SqlBool>`activity.occurred_at >= ${startOfDaysAgo(within_days, context)}::timestamptz`] : []),
]
