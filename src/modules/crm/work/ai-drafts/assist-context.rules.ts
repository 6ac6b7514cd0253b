import { moneyOf } from '#platform/money'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { ScoreReason } from '../../people/lead-records/leads.schemas.ts'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'
import type { AssistActivity } from './assist.queries.ts'

export type AssistContext = {
  lead: LeadRow
  ownerName: string | null
  activities: readonly AssistActivity[]
  /** Signs of interest of the last 30 days, newest first. */
  interestActivities: readonly AssistActivity[]
  outboundAt: readonly Date[]
  lastReplyAt: Date | null
  gradeAThreshold: number
  millionInMinorUnits: number
  settings: CrmSettings
  now: Date
}

export const maxActivities = 20
const maxActivitiesLength = 6_000
const maxBodyLength = 1_000
const maxReasons = 50

/** Returns one of the custom fields about a purchase. Other custom fields may be personal and are not sent to a model. */
export const customFieldOf = ({ custom }: Pick<LeadRow, 'custom'>, key: 'budget' | 'timeline'): unknown => {
  const value = (custom as Record<string, unknown>)[key]
  return value === '' || (Array.isArray(value) && !value.length) ? null : (value ?? null)
}

/** Selects the fields that a model may see: business data without names and contact details. */
export function toModelLead(lead: LeadRow): Record<string, unknown> {
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
    'custom.budget': customFieldOf(lead, 'budget'),
    'custom.timeline': customFieldOf(lead, 'timeline'),
    email: lead.email === null ? null : '(known)',
    phone: lead.phone === null ? null : '(known)',
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

export const toModelScore = ({ lead, gradeAThreshold }: AssistContext) => ({
  score: lead.score,
  fit_score: lead.fit_score,
  engagement_score: lead.engagement_score,
  grade: lead.grade,
  grade_a_threshold: gradeAThreshold,
  reasons: scoreReasonsOf(lead)
    .slice(0, maxReasons)
    .map(({ rule_key, label, points }) => ({ ref: rule_key, label, points })),
})

export const scoreReasonsOf = ({ score_reasons }: Pick<LeadRow, 'score_reasons'>) => score_reasons as ScoreReason[]

/** Selects the latest 20 activities up to 6,000 characters; long bodies are truncated to leave space for the others. */
export function toModelActivities({ activities }: Pick<AssistContext, 'activities'>) {
  const selected: Record<string, string>[] = []
  let remaining = maxActivitiesLength
  for (const { id, type, direction, outcome, subject, body, occurred_at } of activities.slice(0, maxActivities)) {
    const facts = { ref: id, at: occurred_at.toISOString(), type, direction, ...(outcome && { outcome }) }
    remaining -= lengthOf(facts)
    if (remaining < 0) break
    const bodyLength = Math.min(maxBodyLength, remaining - (subject ?? '').length)
    const [head, text] = [truncate(subject ?? '', remaining), truncate(body ?? '', bodyLength)]
    remaining -= head.length + text.length
    selected.push({ ...facts, ...(head && { subject: head }), ...(text && { body: text }) })
  }
  return selected
}

const lengthOf = (facts: object): number => Object.values(facts).join('').length

/** Does not split a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(length, 0)).replace(/[\ud800-\udbff]$/, '')

export const isWithinDays = (at: Date | null, days: number, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= days * 86_400_000
