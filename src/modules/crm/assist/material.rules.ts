import { moneyOf } from '#platform/money'
import type { LeadRow } from '../leads/leads.queries.ts'
import type { ScoreReason } from '../leads/leads.schemas.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import type { Moment } from './assist.queries.ts'

/** Everything that is known when a lead is thought about. */
export type Material = {
  lead: LeadRow
  /** The name of whoever the lead belongs to. */
  owner: string | null
  /** The latest first. */
  moments: readonly Moment[]
  /** What showed interest in the last 30 days, the latest first. */
  interest: readonly Moment[]
  /** When we last wrote or called, and when they last answered. */
  touchedAt: readonly Date[]
  answeredAt: Date | null
  /** The score an A begins with. */
  markOfA: number
  /** A million of the base currency, in its minor units. */
  millionMinor: number
  settings: CrmSettings
  now: Date
}

export const mostMoments = 20
const mostText = 6_000
const mostOfOne = 1_000
const mostReasons = 50

/** The added fields that tell of a purchase. Others may hold anything, and stay here. */
export const customOf = ({ custom }: Pick<LeadRow, 'custom'>, key: 'budget' | 'timeline'): unknown => {
  const value = (custom as Record<string, unknown>)[key]
  return value === '' || (Array.isArray(value) && !value.length) ? null : (value ?? null)
}

/** What a model may know of a lead: the company and the business, but not who it is or how to reach them. */
export function businessOf(lead: LeadRow): Record<string, unknown> {
  const fields = {
    title: lead.title,
    company: lead.company,
    company_domain: lead.company_domain,
    industry: lead.industry,
    employee_count: lead.employee_count,
    annual_revenue: moneyOf(lead.annual_revenue_minor, lead.annual_revenue_currency),
    country: lead.country,
    region: lead.region,
    source: lead.source,
    source_detail: lead.source_detail,
    status: lead.status,
    lifecycle_stage: lead.lifecycle_stage,
    'custom.budget': customOf(lead, 'budget'),
    'custom.timeline': customOf(lead, 'timeline'),
    email: lead.email === null ? null : '(known)',
    phone: lead.phone === null ? null : '(known)',
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** Why the lead scored as it did. */
export const scoreFor = ({ lead, markOfA }: Material) => ({
  ...{ score: lead.score, fit_score: lead.fit_score, engagement_score: lead.engagement_score, grade: lead.grade },
  score_of_an_a: markOfA,
  reasons: reasonsOf(lead)
    .slice(0, mostReasons)
    .map(({ rule_key, label, points }) => ({ ref: rule_key, label, points })),
})

export const reasonsOf = ({ score_reasons }: Pick<LeadRow, 'score_reasons'>) => score_reasons as ScoreReason[]

/** The latest twenty activities, as far as 6,000 characters reach. A long text leaves room for the others. */
export function momentsFor({ moments }: Pick<Material, 'moments'>) {
  const told: Record<string, string>[] = []
  let room = mostText
  for (const { id, type, direction, outcome, subject, body, occurred_at } of moments.slice(0, mostMoments)) {
    const facts = { ref: id, at: occurred_at.toISOString(), type, direction, ...(outcome && { outcome }) }
    room -= lengthOf(facts)
    if (room < 0) break
    const [head, text] = [cut(subject ?? '', room), cut(body ?? '', Math.min(mostOfOne, room - (subject ?? '').length))]
    room -= head.length + text.length
    told.push({ ...facts, ...(head && { subject: head }), ...(text && { body: text }) })
  }
  return told
}

const lengthOf = (facts: object): number => Object.values(facts).join('').length

/** Never in the middle of a character. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(length, 0)).replace(/[\ud800-\udbff]$/, '')

export const isWithin = (at: Date | null, days: number, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= days * 86_400_000
