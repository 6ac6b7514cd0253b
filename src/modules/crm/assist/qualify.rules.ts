import type { LeadRow } from '../leads/leads.queries.ts'
import { nextStatuses } from '../leads/status.rules.ts'
import { stageRank } from '../persons/life-cycle.rules.ts'
import { wordsOf } from '../rules/caseless.rules.ts'
import { hasPhrase } from '../rules/match-rule.rules.ts'
import { defaultConfig, heads, leaders, outsiders } from '../scoring/default-config.ts'
import { type SignalSource, sourcesOf } from '../scoring/signals.rules.ts'
import type { Moment } from './assist.queries.ts'
import { type Criterion, type Evidence, type Judgement, type Qualification, wanted } from './assist.schemas.ts'
import { customOf, cut, isWithin, type Material } from './material.rules.ts'
import { nextBestAction } from './next-action.rules.ts'

/** What shows that somebody means to buy, as the rules we begin with see it. */
const intents = defaultConfig.engagement.rules
  .filter(({ group }) => group === 'intent')
  .flatMap(({ signal }) => sourcesOf(signal))
const appointments: readonly SignalSource[] = [
  { type: 'meeting' },
  { type: 'meeting_booked' },
  { type: 'form_submitted' },
]
export const interests = [...intents, ...appointments]
export const interestDays = 30
const timingDays = 14
const mostEvidence = 3

type Criteria = Judgement['criteria']

/** Whether a lead is worth the effort, by rules alone. */
export function judgeByRules(material: Material): Judgement {
  const { lead } = material
  const criteria = criteriaOf(material)
  const known = Object.values(criteria).filter(({ state }) => state === 'known').length
  const verdict = verdictOf(material, criteria, known)
  return {
    verdict,
    confidence: Math.min(0.9, (40 + 15 * known) / 100),
    criteria,
    reasons: reasonsFor(verdict, lead, criteria),
    next_best_action: nextBestAction(lead, material.now),
  }
}

export const missingIn = (lead: LeadRow): (typeof wanted)[number][] => wanted.filter((field) => lead[field] === null)

function verdictOf({ lead, markOfA }: Material, { authority }: Criteria, known: number): Judgement['verdict'] {
  if (authority.state === 'negative' || (lead.fit_score < 20 && lead.engagement_score < 10)) return 'disqualify'
  if (lead.score >= markOfA && known >= 2) return 'qualified'
  return known <= 1 && missingIn(lead).length >= 3 ? 'needs_info' : 'nurture'
}

const criteriaOf = (material: Material): Criteria => ({
  budget: budgetOf(material),
  authority: authorityOf(material.lead),
  need: needOf(material),
  timing: timingOf(material),
})

function budgetOf({ lead, millionMinor }: Material): Criterion {
  const { employee_count, annual_revenue_base_minor: revenue } = lead
  const budget = customOf(lead, 'budget')
  const evidence: Evidence[] = []
  if (employee_count !== null && employee_count >= 50)
    evidence.push(field('employee_count', `Employees: ${employee_count}`))
  if (revenue !== null && revenue >= millionMinor)
    evidence.push(field('annual_revenue', 'The company turns over a million or more a year.'))
  if (budget !== null) evidence.push(field('custom.budget', `Budget: ${spelt(budget)}`))
  return knownBy(evidence)
}

function authorityOf({ title }: LeadRow): Criterion {
  if (title === null) return knownBy([])
  const evidence = [field('title', `Title: ${title}`)]
  const words = wordsOf(title)
  if (hasPhrase(words, outsiders)) return { state: 'negative', evidence }
  return knownBy(hasPhrase(words, [...leaders, ...heads]) ? evidence : [])
}

function needOf({ interest, now }: Material): Criterion {
  return knownBy(
    interest
      .filter(
        (moment) => intents.some((source) => isTold(moment, source)) && isWithin(moment.occurred_at, interestDays, now),
      )
      .map(seen),
  )
}

function timingOf({ lead, interest, now }: Material): Criterion {
  const timeline = customOf(lead, 'timeline')
  const stated = timeline === null ? [] : [field('custom.timeline', `Timeline: ${spelt(timeline)}`)]
  const appointed = interest.filter(
    (moment) =>
      appointments.some((source) => isTold(moment, source)) &&
      !['no_show', 'cancelled'].includes(moment.outcome ?? '') &&
      isWithin(moment.occurred_at, timingDays, now),
  )
  return knownBy([...stated, ...appointed.map(seen)])
}

const isTold = ({ type, outcome, direction }: Moment, source: SignalSource): boolean =>
  type === source.type && (source.outcome ?? outcome) === outcome && (source.direction ?? direction) === direction

const knownBy = (evidence: readonly Evidence[]): Criterion =>
  evidence.length ? { state: 'known', evidence: evidence.slice(0, mostEvidence) } : { state: 'unknown', evidence: [] }

const field = (ref: string, text: string): Evidence => ({ kind: 'field', ref, text: cut(text, 200) })

const tellings: Record<string, string> = {
  meeting: 'A meeting',
  meeting_booked: 'A meeting was booked',
  form_submitted: 'A form was sent in',
  email_replied: 'A reply to our e-mail',
  email: 'An e-mail from them',
  call: 'A call that was answered',
}
const seen = ({ id, type, occurred_at }: Moment): Evidence => ({
  ...{ kind: 'activity', ref: id },
  text: `${tellings[type] ?? type}, ${occurred_at.toISOString().slice(0, 10)}`,
})

const spelt = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function reasonsFor(verdict: Judgement['verdict'], lead: LeadRow, criteria: Criteria): string[] {
  const { score, grade, fit_score, engagement_score } = lead
  const told = Object.entries(criteria).flatMap(
    ([
      name,
      {
        evidence: [first],
      },
    ]) => (first ? [`${name[0]!.toUpperCase()}${name.slice(1)}: ${first.text}`] : []),
  )
  const unknown = verdict === 'needs_info' ? [`Not known: ${missingIn(lead).join(', ')}.`] : []
  const scored = `Scores ${score} of 100, grade ${grade}: fit ${fit_score}, engagement ${engagement_score}.`
  return [scored, ...told, ...unknown]
}

/** Where a verdict would lead the lead, if that is a step people may take from here. */
export function suggestionsFor(
  verdict: Judgement['verdict'],
  { status, lifecycle_stage }: LeadRow,
): Pick<Qualification, 'suggested_status' | 'suggested_stage'> {
  const led = { qualified: 'qualified', nurture: 'nurturing', disqualify: 'unqualified', needs_info: null } as const
  const to = led[verdict]
  const isHigher = verdict === 'qualified' && status !== 'converted' && stageRank(lifecycle_stage) < stageRank('sql')
  return {
    suggested_status: to !== null && nextStatuses(status).includes(to) ? to : null,
    suggested_stage: isHigher ? 'sql' : null,
  }
}

/** A model must show what it goes by. Whoever claims without evidence, or names what it was not given, is not believed. */
export function isGrounded({ criteria }: Judgement, known: Record<Evidence['kind'], ReadonlySet<string>>): boolean {
  return Object.values(criteria).every(
    ({ state, evidence }) =>
      (state === 'unknown' || evidence.length > 0) && evidence.every(({ kind, ref }) => known[kind].has(ref)),
  )
}
