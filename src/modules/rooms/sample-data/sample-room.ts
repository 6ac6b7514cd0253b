import type { DealPersons } from '#modules/crm'
import type { LinkAccess } from '../links/links.schemas.ts'

export type SampleStepOfPlan = {
  title: string
  side: 'seller' | 'buyer'
  /** Days from now; negative ones are in the past. */
  dueInDays: number
  assignee?: string
  isDone?: true
}

export type SampleRoomItem = { section: number } & (
  | { content: number; title?: string; description?: string }
  | { link: string; title: string; description: string }
  | { text: string; title: string }
)

/** Visits between two days before now. */
export type VisitPeriod = { visits: number; fromDay: number; toDay: number }

export type SampleRoom = {
  key: string
  /** The deal of the room: the one with this key, an open one, the oldest first, or the largest one that was closed close to a day. */
  deal: { key: string } | { openIndex: number } | { kind: Exclude<DealPersons['kind'], 'open'>; closedDaysAgo: number }
  author?: string
  type: 'deal' | 'evaluation' | 'onboarding'
  nameOf(account: string): string
  welcome: string
  color?: string
  access: LinkAccess
  /** A second link with an access of its own, for visitors who are known by name. */
  invitation?: { label: string; access: LinkAccess }
  isClosed?: true
  sections: readonly { title: string; description?: string }[]
  items: readonly SampleRoomItem[]
  plan: readonly SampleStepOfPlan[]
  /** Share of the items that visitors open. */
  interest: number
  visitors: number
  anonymousVisitors?: number
  lastVisitHours: number
  periods: readonly VisitPeriod[]
}

export const step = (
  title: string,
  side: 'seller' | 'buyer',
  dueInDays: number,
  more: Pick<SampleStepOfPlan, 'assignee' | 'isDone'> = {},
): SampleStepOfPlan => ({ title, side, dueInDays, ...more })
export const done = { isDone: true } as const
