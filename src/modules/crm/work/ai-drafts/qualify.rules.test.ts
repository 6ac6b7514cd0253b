import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { activityOf, contextWith, daysAgo, validAssessment } from './assist.fixture.ts'
import type { LeadAssessment } from './assist.schemas.ts'
import type { AssistContext } from './assist-context.rules.ts'
import { assessByRules, hasValidEvidence, missingFieldsOf, suggestNextStatus } from './qualify.rules.ts'

const stateOf = (name: keyof LeadAssessment['criteria'], lead: Partial<LeadRow>, others: Partial<AssistContext> = {}) =>
  assessByRules(contextWith(lead, others)).criteria[name].state

test('authority depends on whole words of the title', () => {
  const titles = {
    CTO: 'known',
    'Head of Sales': 'known',
    'VP, Marketing': 'known',
    Director: 'known',
    FOUNDER: 'known',
    Student: 'negative',
    'Retired CEO': 'negative',
    'Marketing Intern': 'negative',
    International: 'unknown',
    Directory: 'unknown',
    Engineer: 'unknown',
  }
  for (const [title, state] of Object.entries(titles)) assert.equal(stateOf('authority', { title }), state, title)
  assert.equal(stateOf('authority', {}), 'unknown')
})

test('budget is known from 50 employees, one million in revenue or a custom field', () => {
  assert.equal(stateOf('budget', { employee_count: 49, annual_revenue_base_minor: 99_999_999 }), 'unknown')
  assert.equal(stateOf('budget', { employee_count: 50 }), 'known')
  assert.equal(stateOf('budget', { annual_revenue_base_minor: 100_000_000 }), 'known')
  assert.equal(stateOf('budget', { annual_revenue_base_minor: 1_000_000 }, { millionInMinorUnits: 1_000_000 }), 'known')
  for (const budget of [0, false, '20k', { amount: '5.00', currency: 'EUR' }, ['q1']])
    assert.equal(stateOf('budget', { custom: { budget } }), 'known')
  for (const budget of [null, '', []]) assert.equal(stateOf('budget', { custom: { budget } }), 'unknown')
})

test('need is known from a sign of intent within 30 days', () => {
  const stateFor = (...interest: AssistContext['interestActivities']) =>
    stateOf('need', {}, { interestActivities: interest })

  assert.equal(stateFor(activityOf('form_submitted', 30)), 'known')
  assert.equal(stateFor(activityOf('form_submitted', 30.1)), 'unknown')
  assert.equal(stateFor(activityOf('email_replied', 3)), 'known')
  assert.equal(stateFor(activityOf('email', 3)), 'known')
  assert.equal(stateFor(activityOf('email', 3, { direction: 'out' })), 'unknown')
  assert.equal(stateFor(activityOf('call', 3, { direction: 'out', outcome: 'connected' })), 'known')
  assert.equal(stateFor(activityOf('call', 3, { direction: 'out', outcome: 'voicemail' })), 'unknown')
  assert.equal(stateFor(activityOf('meeting', 3, { outcome: 'held' })), 'known')
  assert.equal(stateFor(activityOf('meeting', 3, { outcome: 'scheduled' })), 'unknown')
})

test('timing is known from a meeting or form within 14 days or a custom field', () => {
  const stateFor = (...interest: AssistContext['interestActivities']) =>
    stateOf('timing', {}, { interestActivities: interest })

  assert.equal(stateFor(activityOf('form_submitted', 14)), 'known')
  assert.equal(stateFor(activityOf('form_submitted', 15)), 'unknown')
  assert.equal(stateFor(activityOf('meeting_booked', 1)), 'known')
  assert.equal(stateFor(activityOf('meeting', 1)), 'known')
  for (const outcome of ['no_show', 'cancelled'])
    assert.equal(stateFor(activityOf('meeting', 1, { outcome })), 'unknown')
  assert.equal(stateFor(activityOf('email_replied', 1)), 'unknown')
  assert.equal(stateOf('timing', { custom: { timeline: 'Q3' } }), 'known')
})

const decisionMaker = { title: 'CEO', employee_count: 80 }
const reachable = { email: 'a@b.example', phone: '+49 30 1', company: 'Initech', industry: 'Software' }

test('each verdict has its threshold', () => {
  const verdict = (lead: Partial<LeadRow>, others: Partial<AssistContext> = {}) =>
    assessByRules(contextWith({ ...reachable, ...lead }, others)).verdict

  assert.equal(verdict({ ...decisionMaker, score: 70 }), 'qualified')
  assert.equal(verdict({ ...decisionMaker, score: 69 }), 'nurture')
  assert.equal(verdict({ ...decisionMaker, score: 60 }, { gradeAThreshold: 60 }), 'qualified')
  assert.equal(verdict({ title: 'CEO', score: 90 }), 'nurture')
  assert.equal(verdict({ title: 'Student', employee_count: 80, score: 90 }), 'disqualify')
  assert.equal(verdict({ ...decisionMaker, fit_score: 19, engagement_score: 9 }), 'disqualify')
  assert.equal(verdict({ ...decisionMaker, fit_score: 20, engagement_score: 9 }), 'nurture')
  assert.equal(verdict({ ...decisionMaker, fit_score: 19, engagement_score: 10 }), 'nurture')
  assert.equal(verdict({ phone: null }), 'needs_info')
  assert.equal(verdict({}), 'nurture')
  assert.equal(verdict({ ...decisionMaker, email: null, phone: null, industry: null }), 'nurture')
})

test('confidence grows with known criteria up to 0.9', () => {
  const confidence = (lead: Partial<LeadRow>, interest: AssistContext['interestActivities'] = []) =>
    assessByRules(contextWith(lead, { interestActivities: interest })).confidence

  assert.equal(confidence({}), 0.4)
  assert.equal(confidence({ title: 'CEO' }), 0.55)
  assert.equal(confidence(decisionMaker), 0.7)
  assert.equal(confidence(decisionMaker, [activityOf('email_replied', 1)]), 0.85)
  assert.equal(confidence(decisionMaker, [activityOf('form_submitted', 1)]), 0.9)
})

test('criteria and reasons refer to evidence', () => {
  const form = activityOf('form_submitted', 2)
  const title = `CEO ${'x'.repeat(140)}`
  const { criteria, reasons } = assessByRules(contextWith({ ...decisionMaker, title }, { interestActivities: [form] }))

  assert.deepEqual(criteria.need.evidence, [{ kind: 'activity', ref: form.id, text: 'Form submitted, 2026-03-08' }])
  assert.deepEqual(
    criteria.budget.evidence.map(({ kind, ref }) => [kind, ref]),
    [['field', 'employee_count']],
  )
  assert.match(reasons[0]!, /^Score 35 of 100, grade C/)
  assert.equal(reasons.length, 5)
  const needsInfo = assessByRules(contextWith({}))
  assert.equal(needsInfo.reasons.at(-1), 'Missing: email, phone, title, company, industry, employee_count.')
})

test('the next action is the first applicable one', () => {
  const action = (lead: Partial<LeadRow>) =>
    assessByRules(contextWith({ email: 'a@b.example', ...lead })).next_best_action
  const waiting = { status: 'new', first_responded_at: null, last_engaged_at: daysAgo(1) }

  assert.equal(action({ ...waiting, email: null }).action, 'find_contact_details')
  assert.equal(action(waiting).action, 'call_now')
  assert.match(action({ ...waiting, phone: '1', call_status: 'do_not_call' }).why, /do not want to be called/)
  assert.doesNotMatch(action({ ...waiting, phone: '1' }).why, /write/)
  assert.equal(action({ ...waiting, first_responded_at: daysAgo(1) }).action, 'book_meeting')
  assert.equal(action({ last_engaged_at: daysAgo(8), last_activity_at: daysAgo(31) }).action, 're_engage')
  assert.equal(action({ last_activity_at: null }).action, 're_engage')
  assert.equal(action({ last_activity_at: null, created_at: daysAgo(3) }).action, 'follow_up')
  assert.equal(action({ last_activity_at: daysAgo(29) }).action, 'follow_up')
})

test('only allowed status changes are suggested', () => {
  const suggested = (verdict: LeadAssessment['verdict'], lead: Partial<LeadRow>) =>
    Object.values(suggestNextStatus(verdict, contextWith(lead).lead))

  assert.deepEqual(suggested('qualified', { status: 'new' }), ['qualified', 'sql'])
  assert.deepEqual(suggested('qualified', { status: 'qualified', lifecycle_stage: 'sql' }), [null, null])
  assert.deepEqual(suggested('qualified', { status: 'converted' }), [null, null])
  assert.deepEqual(suggested('qualified', { status: 'unqualified' }), [null, 'sql'])
  assert.deepEqual(suggested('nurture', { status: 'working' }), ['nurturing', null])
  assert.deepEqual(suggested('nurture', { status: 'nurturing' }), [null, null])
  assert.deepEqual(suggested('disqualify', { status: 'qualified' }), ['unqualified', null])
  assert.deepEqual(suggested('needs_info', { status: 'new' }), [null, null])
})

test('model output without valid evidence is rejected', () => {
  const known = { field: new Set(['title']), activity: new Set(['a']), score: new Set(['phone_known']) }
  const isValidWith = (evidence: LeadAssessment['criteria']['need']['evidence']) =>
    hasValidEvidence(
      { ...validAssessment, criteria: { ...validAssessment.criteria, need: { state: 'known', evidence } } },
      known,
    )

  assert.ok(hasValidEvidence(validAssessment, known))
  assert.ok(isValidWith([{ kind: 'score', ref: 'phone_known', text: 'x' }]))
  assert.ok(!isValidWith([]))
  assert.ok(!isValidWith([{ kind: 'field', ref: 'phone_known', text: 'x' }]))
  assert.ok(!isValidWith([{ kind: 'activity', ref: 'b', text: 'x' }]))
})

test('missing fields are the empty qualification fields', () => {
  assert.deepEqual(missingFieldsOf(contextWith({ ...reachable, employee_count: 0 }).lead), ['title'])
})
