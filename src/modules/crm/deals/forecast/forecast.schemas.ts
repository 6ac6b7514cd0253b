import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { CalendarDay, Id, named, nullable, strict } from '#platform/schema'

const Count = Type.Integer({ minimum: 0 })
const figures = {
  closed: Money,
  commit: Money,
  best_case: Money,
  pipeline: Money,
  commit_total: Money,
  best_case_total: Money,
  weighted: Money,
  open_count: Count,
  overdue_count: Count,
}

const ForecastRow = strict({
  group: strict({
    id: nullable(Type.String({ description: 'User id, pipeline id or month (`2026-03`).' })),
    name: nullable(Type.String()),
  }),
  ...figures,
})

export const Forecast = named(
  'Forecast',
  strict({
    base_currency: Type.String(),
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    rows: Type.Array(ForecastRow),
    totals: strict(figures),
  }),
)
export type Forecast = Static<typeof Forecast>

export const ForecastQuery = strict({
  from: Type.Optional(CalendarDay),
  to: Type.Optional(CalendarDay),
  period: Type.Optional(
    Type.String({
      pattern: '^(19|20|21)\\d\\d-(Q[1-4]|0[1-9]|1[0-2])$',
      maxLength: 7,
      description: 'Calendar quarter or month, instead of `from` and `to`.',
      examples: ['2026-Q1', '2026-03'],
    }),
  ),
  owner_id: Type.Optional(Id),
  team_id: Type.Optional(Id),
  group_by: Type.Enum(['owner', 'month', 'pipeline'], { default: 'owner' }),
})
export type ForecastQuery = Static<typeof ForecastQuery>
