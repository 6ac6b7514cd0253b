// A bulk action must leave the same records as single updates, with a fixed number of statements.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStatements, startTestApp } from '#testing'
import { type Acme, createLeadWith, leadsUrl } from '../../people/leads/leads.fixture.ts'
import { bulkUpdate, createLeads, outcomesOf } from './bulk.fixture.ts'

const { tenant, services } = await startTestApp({}, { isOwn: true })

test('a bulk update leaves the same records and events as single updates', async () => {
  const acme = await tenant()
  const config = (await acme.manager.get(`${leadsUrl}scoring-config`)).body
  const { version: _, updated_at, updated_by, ...rules } = config
  const when = { field: 'status', op: 'eq', value: 'qualified' }
  const fit = { ...rules.fit, rules: [{ key: 'qualified', label: 'Qualified', when, points: 90, group: 'person' }] }
  const configured = await acme.manager.put(`${leadsUrl}scoring-config`, { ...rules, fit })
  const [alone, ...together] = await createLeads(acme, 4)
  const owner_id = acme.manager.userId
  const fresh = await createLeadWith(acme, { lifecycle_stage: 'sql' })

  await acme.member.patch(`${leadsUrl}${alone}`, { status: 'qualified' })
  await acme.member.patch(`${leadsUrl}${alone}`, { owner_id })
  await bulkUpdate(acme, { action: 'set_status', lead_ids: [...together, fresh.id], params: { status: 'qualified' } })
  await bulkUpdate(acme, { action: 'assign', lead_ids: together, params: { owner_id } })

  const expected = await changeRecordsOf(acme, alone!)
  assert.deepEqual(expected.stages, ['lead f', 'lead mql t', 'mql sql f'])
  assert.deepEqual([configured.status, expected.lead.score > 0], [200, true])
  for (const id of together) assert.deepEqual(await changeRecordsOf(acme, id), expected)
  const { body } = await acme.member.get(`${leadsUrl}${fresh.id}`)
  assert.deepEqual([body.status, body.lifecycle_stage, body.version], ['qualified', 'sql', 2])
})

test('scores and deletions in bulk leave the same records and events as single ones', async () => {
  const acme = await tenant()
  await setRule(acme, { field: 'title', op: 'eq', value: 'CEO' })
  const [alone, ...together] = await createLeads(acme, 4, { title: 'CEO' })
  await resetScores(acme, [alone!, ...together])

  await acme.member.post(`${leadsUrl}${alone}/recompute-score`)
  const recomputed = await bulkUpdate(acme, { action: 'recompute', lead_ids: together })
  const again = await bulkUpdate(acme, { action: 'recompute', lead_ids: together })
  await acme.member.delete(`${leadsUrl}${alone}`)
  const deleted = await bulkUpdate(acme, { action: 'delete', lead_ids: together })

  assert.deepEqual([recomputed, again, deleted].map(outcomesOf), [
    ['ok', 'ok', 'ok'],
    ['unchanged', 'unchanged', 'unchanged'],
    ['ok', 'ok', 'ok'],
  ])
  const expected = await changeRecordsOf(acme, alone!)
  assert.partialDeepStrictEqual(expected.lead, { lifecycle_stage: 'mql', grade: 'A' })
  const stageChanges = ['lead.stage_changed', 'lead.stage_changed']
  assert.deepEqual(expected.actions, [...stageChanges, 'lead.rescored', 'lead.deleted'], 'created, recomputed, deleted')
  for (const id of together) assert.deepEqual(await changeRecordsOf(acme, id), expected)
})

test('the number of statements of a bulk action and a rescore does not depend on the number of leads', async () => {
  const acme = await tenant()
  const condition = { field: 'title', op: 'eq', value: 'CEO' }
  await setRule(acme, condition)
  const ids = await createLeads(acme, 24, { title: 'CEO' })
  const [few, many] = [ids.slice(0, 2), ids.slice(2)]
  const count = async (work: () => Promise<unknown>) => (await countStatements(services.db.pool, work)).statements
  const statementsOf = (action: string, lead_ids: string[]) => count(() => bulkUpdate(acme, { action, lead_ids }))
  const rescore = () => count(() => setRule(acme, condition))

  for (const action of ['recompute', 'delete']) {
    await resetScores(acme, ids)
    assertSimilar(await statementsOf(action, many), await statementsOf(action, few), action)
    await acme.sql('update crm.leads set deleted_at = null where id = any ($1)', [ids])
  }
  await resetScores(acme, ids)
  const all = await rescore()
  await acme.sql('update crm.leads set deleted_at = now() where id = any ($1)', [many])
  await resetScores(acme, ids)
  assertSimilar(all, await rescore(), 'rescore')
})

/** A request that updates the presence of its user has one or two statements more. */
function assertSimilar(many: number, few: number, name: string): void {
  assert.ok(Math.abs(many - few) <= 2, `${name}: ${many} statements instead of ${few}`)
}

/** Gives all leads that match the condition enough points for stage MQL. */
async function setRule(acme: Acme, when: object): Promise<void> {
  const { version: _, updated_at, updated_by, ...rules } = (await acme.manager.get(`${leadsUrl}scoring-config`)).body
  const fit = {
    ...rules.fit,
    rules: [{ key: 'rule', label: 'Rule', when, points: 90, group: 'person' }],
    group_caps: { person: 100 },
  }
  const weights = { fit: 1, engagement: 0 }
  const { status, text } = await acme.manager.put(`${leadsUrl}scoring-config`, { ...rules, fit, weights })
  assert.equal(status, 200, text)
}

const resetScores = (acme: Acme, ids: string[]) =>
  acme.sql(
    `update crm.leads set score = 0, fit_score = 0, grade = 'C', score_reasons = '[]', lifecycle_stage = 'lead', mql_at = null
     where id = any ($1)`,
    [ids],
  )

/** All records of the changes of a lead, without those that only a single update writes. */
async function changeRecordsOf(acme: Acme, id: string) {
  const list = async (text: string) => (await acme.sql(text, [id])).rows.map(({ line }) => line)
  const { rows } = await acme.sql(
    `select status, lifecycle_stage, owner_id, version, score, grade, score_version, mql_at = sql_at as is_implied,
      assigned_at is not null as is_assigned from crm.leads where id = $1`,
    [id],
  )
  return {
    lead: rows[0],
    timeline: await list('select type || meta::text as line from crm.activities where lead_id = $1 order by id'),
    stages: await list(
      `select concat_ws(' ', from_stage, to_stage, implied) as line from crm.lifecycle_events where lead_id = $1 order by id`,
    ),
    assignments: await list('select user_id as line from crm.lead_assignments where lead_id = $1'),
    events: await list(
      `select type || data::text as line from platform.outbox_events where subject_id = $1
       and type <> 'lead.updated' order by id`,
    ),
    actions: await list(
      `select action as line from platform.audit_log where resource_id = $1::uuid
       and action not in ('lead.created', 'lead.updated', 'lead.assigned', 'lead.status_changed') order by id`,
    ),
    audited: await list(
      `select change ->> 'field' as line from platform.audit_log, jsonb_array_elements(changes) change
       where resource_id = $1::uuid and action <> 'lead.created' order by 1`,
    ),
  }
}
