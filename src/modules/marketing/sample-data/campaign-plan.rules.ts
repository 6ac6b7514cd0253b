import { daysLater } from '#platform/clock'
import { type Random, sampleLoader } from '#platform/module'
import type { CampaignType } from '../campaigns/campaigns/default-statuses.rules.ts'

type Story = {
  name: string
  type: CampaignType
  startDaysAgo: number
  days: number
  budget: number
  /** Share of the contacts and leads that are members. */
  contacts: number
  leads: number
  /** Status of the others, and of those who respond, with their share. */
  reached: string
  response: string
  responseRate: number
  owner: string
}

const stories: readonly Story[] = [
  {
    name: "Newsletter: buyer's guide",
    type: 'email',
    startDaysAgo: 260,
    days: 30,
    budget: 9_000,
    owner: 'user:4',
    contacts: 0.7,
    leads: 0,
    reached: 'opened',
    response: 'clicked',
    responseRate: 0.22,
  },
  {
    name: 'Webinar: pipeline reviews that work',
    type: 'webinar',
    startDaysAgo: 190,
    days: 21,
    budget: 6_000,
    contacts: 0.4,
    leads: 0,
    reached: 'invited',
    response: 'attended',
    responseRate: 0.35,
    owner: 'user:2',
  },
  {
    name: 'Trade show autumn',
    type: 'event',
    startDaysAgo: 130,
    days: 4,
    budget: 28_000,
    owner: 'user:1',
    contacts: 0.3,
    leads: 0,
    reached: 'invited',
    response: 'attended',
    responseRate: 0.5,
  },
  {
    name: 'Brand search',
    type: 'paid_search',
    startDaysAgo: 75,
    days: 120,
    budget: 24_000,
    owner: 'user:3',
    contacts: 0.1,
    leads: 0.3,
    reached: 'targeted',
    response: 'clicked',
    responseRate: 0.6,
  },
  {
    name: 'Customer stories mailing',
    type: 'email',
    startDaysAgo: 35,
    days: 60,
    budget: 2_000,
    owner: sampleLoader,
    contacts: 0.5,
    leads: 0.4,
    reached: 'sent',
    response: 'replied',
    responseRate: 0.12,
  },
]

export type PlannedCampaign = Omit<Story, 'contacts' | 'leads' | 'startDaysAgo' | 'days'> & {
  key: string
  start: Date
  end: Date
  /** Share of the budget that was spent, in units of the base currency. */
  cost: number
  isOver: boolean
  contacts: string[]
  leads: string[]
  respondents: { key: string; at: Date }[]
}

type PlanInput = { random: Random; now: Date; contactKeys: readonly string[]; leadKeys: readonly string[] }

/** Campaigns of the last nine months. Contacts and leads are keys of the sample data of crm. */
export function planCampaigns({ random, now, contactKeys, leadKeys }: PlanInput): PlannedCampaign[] {
  const pick = (keys: readonly string[], share: number) => keys.filter(() => random.chance(share))
  return stories.map(({ startDaysAgo, days, contacts, leads, ...story }, index) => {
    const [start, end] = [daysLater(now, -startDaysAgo), daysLater(now, days - startDaysAgo)]
    const isOver = days < startDaysAgo
    const members = { contacts: pick(contactKeys, contacts), leads: pick(leadKeys, leads) }
    const lastDay = Math.min(days, startDaysAgo - 1)
    const respondents = [...members.contacts, ...members.leads]
      .filter(() => random.chance(story.responseRate))
      .map((key) => ({ key, at: daysLater(start, random.integer(1, Math.max(1, lastDay * 10)) / 10) }))
    return {
      ...story,
      key: `campaign:${index + 1}`,
      start,
      end,
      isOver,
      ...members,
      respondents,
      cost: Math.round(story.budget * (isOver ? random.integer(85, 108) : random.integer(40, 70))) / 100,
    }
  })
}
