import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeadRow } from '../leads/leads.queries.ts'
import { daysAgo, goodJudgement, materialWith, moment } from './assist.fixture.ts'
import type { Judgement } from './assist.schemas.ts'
import type { Material } from './material.rules.ts'
import { isGrounded, judgeByRules, missingIn, suggestionsFor } from './qualify.rules.ts'

const stateOf = (name: keyof Judgement['criteria'], lead: Partial<LeadRow>, others: Partial<Material> = {}) =>
  judgeByRules(materialWith(lead, others)).criteria[name].state

test('authority goes by words of the title, and a director is no CTO', () => {
  const titles = {
    ...{ CTO: 'known', 'Head of Sales': 'known', 'VP, Marketing': 'known', Director: 'known', FOUNDER: 'known' },
    ...{ Student: 'negative', 'Retired CEO': 'negative', 'Marketing Intern': 'negative' },
    ...{ International: 'unknown', Directory: 'unknown', Engineer: 'unknown' },
  }
  for (const [title, state] of Object.entries(titles)) assert.equal(stateOf('authority', { title }), state, title)
  assert.equal(stateOf('authority', {}), 'unknown')
})

test('a budget is known of fifty people, of a million in the base currency, or when somebody noted it', () => {
  assert.equal(stateOf('budget', { employee_count: 49, annual_revenue_base_minor: 99_999_999 }), 'unknown')
  assert.equal(stateOf('budget', { employee_count: 50 }), 'known')
  assert.equal(stateOf('budget', { annual_revenue_base_minor: 100_000_000 }), 'known')
  assert.equal(stateOf('budget', { annual_revenue_base_minor: 1_000_000 }, { millionMinor: 1_000_000 }), 'known')
  for (const budget of [0, false, '20k', { amount: '5.00', currency: 'EUR' }, ['q1']])
    assert.equal(stateOf('budget', { custom: { budget } }), 'known')
  for (const budget of [null, '', []]) assert.equal(stateOf('budget', { custom: { budget } }), 'unknown')
})

test('a need is known by a sign of intent in thirty days', () => {
  const seen = (...interest: Material['interest']) => stateOf('need', {}, { interest })

  assert.equal(seen(moment('form_submitted', 30)), 'known')
  assert.equal(seen(moment('form_submitted', 30.1)), 'unknown')
  assert.equal(seen(moment('email_replied', 3)), 'known')
  assert.equal(seen(moment('email', 3)), 'known')
  assert.equal(seen(moment('email', 3, { direction: 'out' })), 'unknown')
  assert.equal(seen(moment('call', 3, { direction: 'out', outcome: 'connected' })), 'known')
  assert.equal(seen(moment('call', 3, { direction: 'out', outcome: 'voicemail' })), 'unknown')
  assert.equal(seen(moment('meeting', 3, { outcome: 'held' })), 'known')
  assert.equal(seen(moment('meeting', 3, { outcome: 'scheduled' })), 'unknown')
})

test('timing is known by a meeting or a form in fourteen days, or when somebody noted it', () => {
  const seen = (...interest: Material['interest']) => stateOf('timing', {}, { interest })

  assert.equal(seen(moment('form_submitted', 14)), 'known')
  assert.equal(seen(moment('form_submitted', 15)), 'unknown')
  assert.equal(seen(moment('meeting_booked', 1)), 'known')
  assert.equal(seen(moment('meeting', 1)), 'known')
  for (const outcome of ['no_show', 'cancelled']) assert.equal(seen(moment('meeting', 1, { outcome })), 'unknown')
  assert.equal(seen(moment('email_replied', 1)), 'unknown')
  assert.equal(stateOf('timing', { custom: { timeline: 'Q3' } }), 'known')
})

const decides = { title: 'CEO', employee_count: 80 }
const reachable = { email: 'a@b.example', phone: '+49 30 1', company: 'Initech', industry: 'Software' }

test('every verdict has its mark', () => {
  const verdict = (lead: Partial<LeadRow>, others: Partial<Material> = {}) =>
    judgeByRules(materialWith({ ...reachable, ...lead }, others)).verdict

  assert.equal(verdict({ ...decides, score: 70 }), 'qualified')
  assert.equal(verdict({ ...decides, score: 69 }), 'nurture')
  assert.equal(verdict({ ...decides, score: 60 }, { markOfA: 60 }), 'qualified')
  assert.equal(verdict({ title: 'CEO', score: 90 }), 'nurture')
  assert.equal(verdict({ title: 'Student', employee_count: 80, score: 90 }), 'disqualify')
  assert.equal(verdict({ ...decides, fit_score: 19, engagement_score: 9 }), 'disqualify')
  assert.equal(verdict({ ...decides, fit_score: 20, engagement_score: 9 }), 'nurture')
  assert.equal(verdict({ ...decides, fit_score: 19, engagement_score: 10 }), 'nurture')
  assert.equal(verdict({ phone: null }), 'needs_info')
  assert.equal(verdict({}), 'nurture')
  assert.equal(verdict({ ...decides, email: null, phone: null, industry: null }), 'nurture')
})

test('confidence grows with what is known, and ends at nine tenths', () => {
  const confidence = (lead: Partial<LeadRow>, interest: Material['interest'] = []) =>
    judgeByRules(materialWith(lead, { interest })).confidence

  assert.equal(confidence({}), 0.4)
  assert.equal(confidence({ title: 'CEO' }), 0.55)
  assert.equal(confidence(decides), 0.7)
  assert.equal(confidence(decides, [moment('email_replied', 1)]), 0.85)
  assert.equal(confidence(decides, [moment('form_submitted', 1)]), 0.9)
})

test('what is said stands on evidence that can be looked up', () => {
  const form = moment('form_submitted', 2)
  const title = `CEO ${'x'.repeat(140)}`
  const { criteria, reasons } = judgeByRules(materialWith({ ...decides, title }, { interest: [form] }))

  assert.deepEqual(criteria.need.evidence, [{ kind: 'activity', ref: form.id, text: 'A form was sent in, 2026-03-08' }])
  assert.deepEqual(
    criteria.budget.evidence.map(({ kind, ref }) => [kind, ref]),
    [['field', 'employee_count']],
  )
  assert.match(reasons[0]!, /^Scores 35 of 100, grade C/)
  assert.equal(reasons.length, 5)
  const needsInfo = judgeByRules(materialWith({}))
  assert.equal(needsInfo.reasons.at(-1), 'Not known: email, phone, title, company, industry, employee_count.')
})

test('the next action is the first that applies', () => {
  const action = (lead: Partial<LeadRow>) =>
    judgeByRules(materialWith({ email: 'a@b.example', ...lead })).next_best_action
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

test('only steps that people may take are suggested', () => {
  const suggested = (verdict: Judgement['verdict'], lead: Partial<LeadRow>) =>
    Object.values(suggestionsFor(verdict, materialWith(lead).lead))

  assert.deepEqual(suggested('qualified', { status: 'new' }), ['qualified', 'sql'])
  assert.deepEqual(suggested('qualified', { status: 'qualified', lifecycle_stage: 'sql' }), [null, null])
  assert.deepEqual(suggested('qualified', { status: 'converted' }), [null, null])
  assert.deepEqual(suggested('qualified', { status: 'unqualified' }), [null, 'sql'])
  assert.deepEqual(suggested('nurture', { status: 'working' }), ['nurturing', null])
  assert.deepEqual(suggested('nurture', { status: 'nurturing' }), [null, null])
  assert.deepEqual(suggested('disqualify', { status: 'qualified' }), ['unqualified', null])
  assert.deepEqual(suggested('needs_info', { status: 'new' }), [null, null])
})

test('a model that claims without evidence, or from what it was not given, is not believed', () => {
  const known = { field: new Set(['title']), activity: new Set(['a']), score: new Set(['phone_known']) }
  const claiming = (evidence: Judgement['criteria']['need']['evidence']) =>
    isGrounded({ ...goodJudgement, criteria: { ...goodJudgement.criteria, need: { state: 'known', evidence } } }, known)

  assert.ok(isGrounded(goodJudgement, known))
  assert.ok(claiming([{ kind: 'score', ref: 'phone_known', text: 'x' }]))
  assert.ok(!claiming([]))
  assert.ok(!claiming([{ kind: 'field', ref: 'phone_known', text: 'x' }]))
  assert.ok(!claiming([{ kind: 'activity', ref: 'b', text: 'x' }]))
})

test('what is missing is what would help to judge', () => {
  assert.deepEqual(missingIn(materialWith({ ...reachable, employee_count: 0 }).lead), ['title'])
})
