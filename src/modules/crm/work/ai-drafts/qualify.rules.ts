import { hasAnyPhrase, normalizeWords } from '#platform/rules'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { allowedNextStatuses } from '../../people/lead-records/leads.rules.ts'
import {
  defaultScoringConfig,
  executiveTitleWords,
  managerTitleWords,
  outsiderTitleWords,
} from '../../people/scoring/default-scoring-config.ts'
import { type SignalSource, signalSourcesOf } from '../../people/scoring/signals.rules.ts'
import { stageRank } from '../../records/person-keys/lifecycle.rules.ts'
import type { AssistActivity } from './assist.queries.ts'
import {
  type Criterion,
  type Evidence,
  type LeadAssessment,
  type Qualification,
  qualificationFields,
} from './assist.schemas.ts'
import { type AssistContext, customFieldOf, isWithinDays, truncate } from './assist-context.rules.ts'

const intentSources = defaultScoringConfig.engagement.rules
  .filter(({ group }) => group === 'intent')
  .flatMap(({ signal }) => signalSourcesOf(signal))
const appointmentSources: readonly SignalSource[] = [
  { type: 'meeting' },
  { type: 'meeting_booked' },
  { type: 'form_submitted' },
]
export const interestSources = [...intentSources, ...appointmentSources]
export const interestDays = 30
const timingDays = 14
const maxEvidence = 3

type Criteria = LeadAssessment['criteria']

export function assessByRules(context: AssistContext): LeadAssessment {
  const { lead } = context
  const criteria = criteriaOf(context)
  const knownCount = Object.values(criteria).filter(({ state }) => state === 'known').length
  const verdict = verdictOf(context, criteria, knownCount)
  return {
    verdict,
    confidence: Math.min(0.9, (40 + 15 * knownCount) / 100),
    criteria,
    reasons: reasonsFor(verdict, lead, criteria),
    next_best_action: nextBestAction(lead, context.now),
  }
}

export const missingFieldsOf = (lead: LeadRow): (typeof qualificationFields)[number][] =>
  qualificationFields.filter((field) => lead[field] === null)

function verdictOf(
  { lead, gradeAThreshold }: AssistContext,
  { authority }: Criteria,
  knownCount: number,
): LeadAssessment['verdict'] {
  if (authority.state === 'negative' || (lead.fit_score < 20 && lead.engagement_score < 10)) return 'disqualify'
  if (lead.score >= gradeAThreshold && knownCount >= 2) return 'qualified'
  return knownCount <= 1 && missingFieldsOf(lead).length >= 3 ? 'needs_info' : 'nurture'
}

const criteriaOf = (context: AssistContext): Criteria => ({
  budget: budgetOf(context),
  authority: authorityOf(context.lead),
  need: needOf(context),
  timing: timingOf(context),
})

function budgetOf({ lead, millionInMinorUnits }: AssistContext): Criterion {
  const { employee_count, annual_revenue_base_minor: revenue } = lead
  const budget = customFieldOf(lead, 'budget')
  const evidence: Evidence[] = []
  if (employee_count !== null && employee_count >= 50)
    evidence.push(fieldEvidence('employee_count', `Employees: ${employee_count}`))
  if (revenue !== null && revenue >= millionInMinorUnits)
    evidence.push(fieldEvidence('annual_revenue', 'The annual revenue is one million or more.'))
  if (budget !== null) evidence.push(fieldEvidence('custom.budget', `Budget: ${toText(budget)}`))
  return toCriterion(evidence)
}

function authorityOf({ title }: LeadRow): Criterion {
  if (title === null) return toCriterion([])
  const evidence = [fieldEvidence('title', `Title: ${title}`)]
  const words = normalizeWords(title)
  if (hasAnyPhrase(words, outsiderTitleWords)) return { state: 'negative', evidence }
  return toCriterion(hasAnyPhrase(words, [...executiveTitleWords, ...managerTitleWords]) ? evidence : [])
}

function needOf({ interestActivities, now }: AssistContext): Criterion {
  return toCriterion(
    interestActivities
      .filter(
        (activity) =>
          intentSources.some((source) => isFromSource(activity, source)) &&
          isWithinDays(activity.occurred_at, interestDays, now),
      )
      .map(activityEvidence),
  )
}

function timingOf({ lead, interestActivities, now }: AssistContext): Criterion {
  const timeline = customFieldOf(lead, 'timeline')
  const stated = timeline === null ? [] : [fieldEvidence('custom.timeline', `Timeline: ${toText(timeline)}`)]
  const appointments = interestActivities.filter(
    (activity) =>
      appointmentSources.some((source) => isFromSource(activity, source)) &&
      !['no_show', 'cancelled'].includes(activity.outcome ?? '') &&
      isWithinDays(activity.occurred_at, timingDays, now),
  )
  return toCriterion([...stated, ...appointments.map(activityEvidence)])
}

const isFromSource = ({ type, outcome, direction }: AssistActivity, source: SignalSource): boolean =>
  type === source.type && (source.outcome ?? outcome) === outcome && (source.direction ?? direction) === direction

const toCriterion = (evidence: readonly Evidence[]): Criterion =>
  evidence.length ? { state: 'known', evidence: evidence.slice(0, maxEvidence) } : { state: 'unknown', evidence: [] }

const fieldEvidence = (ref: string, text: string): Evidence => ({ kind: 'field', ref, text: truncate(text, 200) })

const activityLabels: Record<string, string> = {
  meeting: 'Meeting',
  meeting_booked: 'Meeting booked',
  form_submitted: 'Form submitted',
  email_replied: 'Reply to an email',
  email: 'Email received',
  call: 'Call answered',
}
const activityEvidence = ({ id, type, occurred_at }: AssistActivity): Evidence => ({
  kind: 'activity',
  ref: id,
  text: `${activityLabels[type] ?? type}, ${occurred_at.toISOString().slice(0, 10)}`,
})

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function reasonsFor(verdict: LeadAssessment['verdict'], lead: LeadRow, criteria: Criteria): string[] {
  const { score, grade, fit_score, engagement_score } = lead
  const byCriterion = Object.entries(criteria).flatMap(
    ([
      name,
      {
        evidence: [first],
      },
    ]) => (first ? [`${name[0]!.toUpperCase()}${name.slice(1)}: ${first.text}`] : []),
  )
  const missing = verdict === 'needs_info' ? [`Missing: ${missingFieldsOf(lead).join(', ')}.`] : []
  const scoring = `Score ${score} of 100, grade ${grade}: fit ${fit_score}, engagement ${engagement_score}.`
  return [scoring, ...byCriterion, ...missing]
}

/** Suggests the status and stage for a verdict, if a user could set them now. */
export function suggestNextStatus(
  verdict: LeadAssessment['verdict'],
  { status, lifecycle_stage }: LeadRow,
): Pick<Qualification, 'suggested_status' | 'suggested_stage'> {
  const statuses = {
    qualified: 'qualified',
    nurture: 'nurturing',
    disqualify: 'unqualified',
    needs_info: null,
  } as const
  const next = statuses[verdict]
  const isHigher = verdict === 'qualified' && status !== 'converted' && stageRank(lifecycle_stage) < stageRank('sql')
  return {
    suggested_status: next !== null && allowedNextStatuses(status).includes(next) ? next : null,
    suggested_stage: isHigher ? 'sql' : null,
  }
}

/** Rejects model output that claims without evidence or refers to data that the model was not given. */
export function hasValidEvidence(
  { criteria }: LeadAssessment,
  known: Record<Evidence['kind'], ReadonlySet<string>>,
): boolean {
  return Object.values(criteria).every(
    ({ state, evidence }) =>
      (state === 'unknown' || evidence.length > 0) && evidence.every(({ kind, ref }) => known[kind].has(ref)),
  )
}

type NextAction = LeadAssessment['next_best_action']

export function nextBestAction(lead: LeadRow, now: Date): NextAction {
  if (lead.email === null && lead.phone === null)
    return { action: 'find_contact_details', why: 'The lead has no email address and no phone number.' }
  if (lead.status === 'new' && lead.first_responded_at === null)
    return { action: 'call_now', why: `The lead has not received a response yet.${callHint(lead)}` }
  if (isWithinDays(lead.last_engaged_at, 7, now))
    return { action: 'book_meeting', why: 'The lead was active within the last seven days.' }
  if (!isWithinDays(lead.last_activity_at ?? lead.created_at, 30, now))
    return { action: 're_engage', why: 'There was no activity for 30 days.' }
  return { action: 'follow_up', why: 'The conversation has started, and the next step is yours.' }
}

function callHint({ call_status, phone }: LeadRow): string {
  if (call_status === 'do_not_call') return ' They do not want to be called, so write to them.'
  return phone === null ? ' There is no phone number, so write to them.' : ''
}
