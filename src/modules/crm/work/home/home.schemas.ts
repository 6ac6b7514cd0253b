import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, strict } from '#platform/schema'
import { LeadSummary } from '../../people/lead-records/leads.schemas.ts'
import { OpenTask } from '../activities/activities.schemas.ts'

export const maxHomeItems = 6

const count = (description: string) => Type.Integer({ minimum: 0, description })
const median = (description: string) => nullable(Type.Number({ minimum: 0, description }))

export const HomeTasks = strict({
  overdue: count('Open tasks that were due before now, at most 100.'),
  due_today: count('Open tasks that are still due today in the time zone of the workspace, at most 100.'),
  items: Type.Array(OpenTask, { maxItems: maxHomeItems, description: 'Open tasks by due time.' }),
})
export type HomeTasks = Static<typeof HomeTasks>

export const HomeLeads = strict({
  awaiting_first_response: count('New leads without a first response.'),
  breached: count('Open leads whose first response is late.'),
  open: count('Leads that are neither converted nor unqualified.'),
  median_first_response_seconds: median('Median of the leads created in the last 30 days; null if none was answered.'),
  previous_median_first_response_seconds: median('Median of the leads created in the 30 days before.'),
  items: Type.Array(LeadSummary, {
    maxItems: maxHomeItems,
    description: 'New leads without a first response, the earliest deadline first.',
  }),
})
export type HomeLeads = Static<typeof HomeLeads>

const HomeDeal = named(
  'HomeDeal',
  strict({
    id: Id,
    name: Type.String(),
    account: nullable(Reference),
    stage_label: Type.String(),
    amount: nullable(Money),
    close_on: Type.String({ format: 'date' }),
    is_overdue: Type.Boolean(),
    next_step: nullable(Type.String()),
    version: Type.Integer(),
  }),
)
export type HomeDeal = Static<typeof HomeDeal>

export const HomeDeals = strict({
  open_count: count('Open deals.'),
  open_amount: Money,
  closing_amount: Money,
  items: Type.Array(HomeDeal, {
    maxItems: maxHomeItems,
    description: 'Open deals with `close_on` in the next 30 days or before today, the earliest first.',
  }),
  forecast: strict({ closed: Money, commit: Money, best_case: Money, quota: nullable(Money) }),
})
export type HomeDeals = Static<typeof HomeDeals>
