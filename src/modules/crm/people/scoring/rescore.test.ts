import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { createLead } from '../leads/create-leads.service.ts'
import { isScoringField, setScoreComponent } from './rescore-leads.service.ts'
import { configUrl, configWith, configWithThreshold, startScoringApp } from './scoring.fixture.ts'

const { tenant, services, db, clock, addSignals, postLead, postExampleLead } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const leadUrl = (id: string) => `/api/leads/${id}`
const recompute = async (acme: Acme, id: string) => (await acme.member.post(`${leadUrl(id)}/recompute-score`)).body
const history = async (acme: Acme, id: string) =>
  (
    await acme.sql(
      'select fit, engagement, score, grade, cause from crm.lead_score_history where lead_id = $1 order by id',
      [id],
    )
  ).rows
/** Includes xmin, which changes with every write. */
const rowOf = async (acme: Acme, id: string) =>
  (await acme.sql('select xmin::text, version, updated_at, scored_at from crm.leads where id = $1', [id])).rows[0]

test('a new lead is scored without a grade_changed event', async () => {
  const acme = await tenant()

  const lead = await postLead(acme, {
    title: 'CEO',
    email: 'ann@initech.example',
    company: 'Initech',
    phone: '+49 30 1',
  })

  assert.deepEqual([lead.fit_score, lead.engagement_score, lead.score, lead.grade], [60, 0, 30, 'C'])
  assert.deepEqual([lead.score_version, lead.version], [0, 1])
  assert.ok(lead.scored_at)
  assert.deepEqual(lead.score_reasons[0], {
    rule_key: 'leader_title',
    label: 'Leads the company',
    group: 'person',
    points: 30,
    count: 1,
    capped: false,
  })
  assert.deepEqual(await history(acme, lead.id), [{ fit: 60, engagement: 0, score: 30, grade: 'C', cause: 'created' }])
  assert.ok(!(await acme.events()).includes('lead.grade_changed'))
})

test('only changes of fields used by rules change the score', async () => {
  const acme = await tenant()
  const lead = await postLead(acme, { last_name: 'Moss', company: 'Initech' })

  const promoted = (await acme.member.patch(leadUrl(lead.id), { title: 'Head of IT' })).body
  const noted = (await acme.member.patch(leadUrl(lead.id), { notes: 'Nice' })).body
  const withEmail = (await acme.member.patch(leadUrl(lead.id), { email: 'moss@gmail.com' })).body

  assert.deepEqual([lead.fit_score, promoted.fit_score, withEmail.fit_score], [10, 30, 20])
  assert.equal(noted.scored_at, promoted.scored_at)
  assert.deepEqual(
    ['title', 'email', 'phone', 'employee_count'].map((field) => isScoringField(configWith(), field)),
    [true, true, true, true],
  )
  assert.deepEqual(
    ['notes', 'city', 'status', 'custom'].map((field) => isScoringField(configWith(), field)),
    [false, false, false, false],
  )
})

test('inputs of derived fields count as scoring fields', () => {
  const rule = { key: 'k', label: 'L', group: 'g', points: 1 }
  const configUsing = (field: string) => {
    const when = { all: [{ not: { any: [{ field, op: 'is_set' }] } }] }
    const engagement = { ...configWith().engagement, rules: [] }
    return configWith({ fit: { group_caps: { g: 1 }, rules: [{ ...rule, when }] }, engagement })
  }

  assert.ok(isScoringField(configUsing('company_domain'), 'website'))
  assert.ok(isScoringField(configUsing('name'), 'first_name'))
  assert.ok(isScoringField(configUsing('utm.source'), 'utm'))
  assert.ok(isScoringField(configUsing('tags'), 'tags'))
  assert.ok(!isScoringField(configUsing('tags'), 'email'))
})

test('a score is recomputed on request with reasons', async () => {
  const acme = await tenant()
  const lead = await postLead(acme, {
    last_name: 'Moss',
    title: 'CEO',
    email: 'ann@initech.example',
    company: 'Initech',
  })
  await addSignals(
    acme,
    lead.id,
    { type: 'form_submitted' },
    { type: 'form_submitted' },
    { type: 'meeting', outcome: 'held' },
  )
  const before = await rowOf(acme, lead.id)

  const { status, body } = await acme.member.post(`${leadUrl(lead.id)}/recompute-score`)
  const after = await rowOf(acme, lead.id)
  const again = await recompute(acme, lead.id)

  assert.equal(status, 200)
  assert.deepEqual(body.previous, { fit_score: 55, engagement_score: 0, score: 28, grade: 'C' })
  assert.deepEqual(body.current, { fit_score: 55, engagement_score: 60, score: 58, grade: 'B' })
  assert.deepEqual([body.lead_id, body.config_version], [lead.id, 0])
  assert.deepEqual(body.reasons.slice(-2), [
    { rule_key: 'meeting_held', label: 'Attended a meeting', group: 'intent', points: 30, count: 1, capped: true },
    { rule_key: 'form_submitted', label: 'Submitted a form', group: 'intent', points: 50, count: 2, capped: true },
  ])
  assert.deepEqual([after.version, after.updated_at], [before.version, before.updated_at])
  assert.deepEqual([again.previous, again.current], [body.current, body.current])
  assert.deepEqual(await rowOf(acme, lead.id), after)
  assert.deepEqual(
    (await history(acme, lead.id)).map(({ score, grade, cause }) => [score, grade, cause]),
    [
      [28, 'C', 'created'],
      [58, 'B', 'asked'],
    ],
  )
  assert.deepEqual((await acme.events()).slice(-1), ['lead.grade_changed'])
  assert.equal((await acme.audit()).filter((action) => action === 'lead.rescored').length, 1)
})

test('changes below five points are recorded once they add up', async () => {
  const acme = await tenant()
  const lead = await postLead(acme, { last_name: 'Moss' })
  for (let step = 0; step < 3; step++) {
    await addSignals(acme, lead.id, { type: 'email_clicked' })
    await recompute(acme, lead.id)
  }

  assert.deepEqual(
    (await history(acme, lead.id)).map(({ score }) => score),
    [5],
  )
})

test('other workspaces, viewers and deleted leads are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead = await postLead(other, { last_name: 'Moss' })

  const foreign = await acme.admin.post(`${leadUrl(lead.id)}/recompute-score`)
  const byViewer = await other.viewer.post(`${leadUrl(lead.id)}/recompute-score`)
  await other.admin.delete(leadUrl(lead.id))
  const deleted = await other.admin.post(`${leadUrl(lead.id)}/recompute-score`)

  assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found'])
  assert.deepEqual([byViewer.status, byViewer.body.required_scope], [403, 'leads.write'])
  assert.equal(deleted.status, 404)
})

test('a score above the threshold sets stage mql; a lead moved back needs to cross it again', async () => {
  const acme = await tenant()
  await acme.manager.put(configUrl, configWithThreshold(60))
  const { lead_id } = await postExampleLead(acme)
  const promoted = (await acme.member.get(leadUrl(lead_id))).body
  const movedBack = await acme.member.patch(leadUrl(lead_id), { lifecycle_stage: 'lead', stage_reason: 'Not yet' })
  await recompute(acme, lead_id)
  const unchanged = (await acme.member.get(leadUrl(lead_id))).body
  await acme.member.patch(leadUrl(lead_id), { title: null })
  const promotedAgain = (await acme.member.patch(leadUrl(lead_id), { title: 'CEO' })).body

  assert.equal(promoted.lifecycle_stage, 'mql')
  assert.equal(movedBack.body.lifecycle_stage, 'lead')
  assert.equal(unchanged.lifecycle_stage, 'lead')
  assert.equal(promotedAgain.lifecycle_stage, 'mql')
  assert.equal(promotedAgain.mql_at, promoted.mql_at)
  await acme.manager.put(
    configUrl,
    configWith({ ...configWithThreshold(60), auto_mql: { enabled: false, min_score: 0 } }),
  )
  assert.equal((await postLead(acme, { last_name: 'Roy' })).lifecycle_stage, 'lead')
})

test('other modules add and remove score components', async () => {
  const acme = await tenant()
  const lead = await postLead(acme, { last_name: 'Moss' })
  const set = (key: string, points: number | null) =>
    inTenant(db, systemActor(acme.id), (tx) => setScoreComponent(tx, lead.id, key, `Says ${key}`, points, clock.now()))

  const first = await set('pql:trial', 30)
  const both = await set('survey:1', 15)
  const changed = await set('pql:trial', 50)
  const less = await set('pql:trial', null)
  const same = await set('pql:trial', null)

  assert.deepEqual(
    [first, both, changed, less, same].map(({ score }) => score),
    [30, 45, 65, 15, 15],
  )
  assert.deepEqual([both.grade, less.grade, less.version], ['B', 'C', lead.version])
  assert.deepEqual((await acme.member.get(leadUrl(lead.id))).body.score_reasons, [
    { rule_key: 'survey:1', label: 'Says survey:1', group: 'component', points: 15, count: 1, capped: false },
  ])
  await assert.rejects(set('pql:trial', 101), /lead_score_components_points_range/)
})

test('a lead created during a config change is rescored', async () => {
  const acme = await tenant()
  const created = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const creation = inTenant(services.db, systemActor(acme.id), async (tx) => {
    const lead = await createLead(tx, systemActor(acme.id), { title: 'CEO', last_name: 'Moss' }, services)
    created.resolve()
    await mayCommit.promise
    return lead
  })
  await created.promise

  const change = acme.manager.put(configUrl, configWithThreshold(60))
  const finishedEarly = await Promise.race([change.then(() => true), sleep(300).then(() => false)])
  mayCommit.resolve()
  const [lead, { status, body }] = [await creation, await change]

  assert.equal(finishedEarly, false)
  assert.equal(lead.score_version, 0)
  assert.deepEqual([status, body.rescore], [200, { mode: 'inline', leads: 1 }])
  assert.equal((await acme.member.get(leadUrl(lead.id))).body.score_version, 1)
})
