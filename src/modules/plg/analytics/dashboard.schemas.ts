import { type Static, Type } from 'typebox'
import { CalendarDay, named, nullable, strict, Timestamp } from '#platform/schema'
import { EventName, RecalculatedFromOn } from '../settings/plg-settings.schemas.ts'

export const periodKeys = ['7d', '14d', '30d', '90d', '180d', '365d'] as const
export type PeriodKey = (typeof periodKeys)[number]

export const DashboardQuery = strict({
  period: Type.Enum([...periodKeys], {
    default: '30d',
    description: 'The last days up to now, in the time zone of the workspace.',
  }),
})

export const Count = Type.Integer({ minimum: 0 })
export const Rate = nullable(Type.Number({ minimum: 0 }))
const ChangeRate = nullable(Type.Number())

const activeFields = {
  dau: { ...Count, description: 'People active on the day.' },
  dau_average: Type.Number({ minimum: 0, description: 'Active people per day of the period.' }),
  wau: { ...Count, description: 'People active in the last 7 days.' },
  mau: { ...Count, description: 'People active in the last 30 days.' },
  stickiness_rate: { ...Rate, description: 'Active days of people in the last 30 days, divided by 30 times `mau`.' },
}
const ActivePeople = strict(activeFields)
export type ActivePeople = Static<typeof ActivePeople>

const Growth = strict({
  bucket_start_on: CalendarDay,
  active: Count,
  new: Count,
  retained: { ...Count, description: 'Active in this bucket and the one before.' },
  resurrected: { ...Count, description: 'Active again, but not in the bucket before.' },
  churned: nullable(Type.Integer({ minimum: 0, description: 'Null while the bucket is not over.' })),
  quick_ratio: { ...Rate, description: 'New and resurrected people per churned person.' },
  complete: Type.Boolean(),
})
export type Growth = Static<typeof Growth>

export const UsageDashboard = named(
  'UsageDashboard',
  strict({
    period: strict({
      key: Type.Enum([...periodKeys]),
      from_at: Timestamp,
      to_at: Timestamp,
      timezone: Type.String(),
      bucket: Type.Enum(['day', 'week', 'month']),
    }),
    active: strict({
      ...activeFields,
      previous: { ...ActivePeople, description: 'The same numbers at the end of the day one period ago.' },
    }),
    active_accounts: strict({ wau: Count, mau: Count }),
    events: strict({
      total: Count,
      complete_total: { ...Count, description: 'Events in as many days, ending yesterday.' },
      previous_total: { ...Count, description: 'Events in as many days before those.' },
      change_rate: ChangeRate,
    }),
    new_people: strict({ count: Count, complete_count: Count, previous_count: Count, change_rate: ChangeRate }),
    activation: nullable(
      strict({
        eligible: { ...Count, description: 'New people whose time to activate is over.' },
        activated: Count,
        pending: Count,
        activation_rate: Rate,
        median_days: nullable(Type.Number({ minimum: 0 })),
      }),
    ),
    pqls: strict({ people: Count, accounts: Count, new: Count, lost: Count, pql_rate: Rate }),
    top_events: Type.Array(
      strict({ name: EventName, events: Count, people: Count, share_rate: Type.Number({ minimum: 0 }) }),
      { maxItems: 10 },
    ),
    growth: Type.Array(Growth, { maxItems: 20 }),
    trend: Type.Array(strict({ day_on: CalendarDay, active: Count, new_people: Count, events: Count }), {
      maxItems: 365,
    }),
    data: strict({
      last_event_at: nullable(Timestamp),
      unlinked_people: { ...Count, description: 'People without a lead or contact; at most 10,000 are counted.' },
      quota: strict({
        used: Count,
        limit: nullable(Count),
        resets_at: Timestamp,
      }),
      rebuilding: Type.Boolean({ description: 'Numbers are being recalculated for changed settings.' }),
      recalculated_from_on: RecalculatedFromOn,
    }),
  }),
)
export type UsageDashboard = Static<typeof UsageDashboard>
