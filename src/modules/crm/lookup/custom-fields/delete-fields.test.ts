import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitUntil } from '#testing'
import { leadsUrl } from '../../people/leads/leads.fixture.ts'
import { defaultScoringConfig } from '../../people/scoring/default-scoring-config.ts'
import { createField, createTier, fieldsUrl } from './custom-fields.fixture.ts'

const { services, tenant, startTestWorker } = await startTestApp()

test('crm-6-7 a used field is deleted with force by an admin, and its key is free after the purge', async () => {
  const acme = await tenant()
  const { id } = await createTier(acme)
  const { body: lead } = await acme.member.post(leadsUrl, { last_name: 'Moss', custom: { tier: 'gold' } })
  const url = `${fieldsUrl}/${id}`
  const createAgain = () => acme.manager.post(fieldsUrl, { object_type: 'lead', label: 'Tier', type: 'number' })
  const readCustom = async () => (await acme.viewer.get(`${leadsUrl}${lead.id}`)).body.custom
  const countRows = async (table: string, column: string) =>
    (await acme.sql(`select from ${table} where ${column} = $1`, [id])).rows.length

  const refused = await acme.manager.delete(url)
  const byManager = await acme.manager.delete(`${url}?force=true`)
  const byAdmin = await acme.admin.delete(`${url}?force=true`)
  const hidden = await readCustom()
  const listed = (await acme.viewer.get(fieldsUrl)).body.total
  const written = await acme.member.patch(`${leadsUrl}${lead.id}`, { custom: { tier: 'silver' } })
  const early = await createAgain()
  await startTestWorker()
  await waitUntil(async () => (await countRows('crm.custom_fields', 'id')) === 0)
  const late = await createAgain()

  const usage = { records: 1, scoring_rules: 0, mappings: 0, segments: 0 }
  assert.deepEqual([refused.status, refused.body.code, refused.body.usage], [409, 'field_in_use', usage])
  assert.deepEqual([byManager.status, byAdmin.status], [403, 204])
  assert.deepEqual([hidden, listed, written.status], [{}, 0, 422])
  assert.deepEqual([early.status, late.status], [409, 201])
  assert.deepEqual(await readCustom(), {})
  assert.equal(await countRows('crm.custom_field_index', 'field_id'), 0)
})

test('a field that scoring rules or mappings use is not deleted without force', async () => {
  const acme = await tenant()
  const target = await createField(acme, { object_type: 'contact', key: 'level' })
  const { id } = await createField(acme, { key: 'level', maps_to: { contact: 'level' } })
  const when = { field: 'custom.level', op: 'eq', value: 'high' }
  const rule = { key: 'high_level', label: 'High level', group: 'company', points: 10, when }
  const fit = { rules: [rule], group_caps: { company: 50 } }
  const configured = await acme.manager.put(`${leadsUrl}scoring-config`, { ...defaultScoringConfig, fit })

  const scored = await acme.manager.delete(`${fieldsUrl}/${id}`)
  const mapped = await acme.manager.delete(`${fieldsUrl}/${target.id}`)
  const forced = await acme.admin.delete(`${fieldsUrl}/${id}?force=true`)

  assert.equal(configured.status, 200, JSON.stringify(configured.body))
  assert.deepEqual(
    [scored.status, scored.body.usage],
    [409, { records: 0, scoring_rules: 1, mappings: 0, segments: 0 }],
  )
  assert.deepEqual(
    [mapped.status, mapped.body.usage],
    [409, { records: 0, scoring_rules: 0, mappings: 1, segments: 0 }],
  )
  assert.equal(forced.status, 204)
  const { rows } = await acme.sql(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'custom_field.deleted'`,
    [acme.id],
  )
  assert.deepEqual(rows[0].data.scoring_rules, ['high_level'])
})

test('leads are scored again after a field of a scoring rule was deleted or deactivated', async () => {
  const acme = await tenant()
  const fields = [await createField(acme, { key: 'level' }), await createField(acme, { key: 'rank' })]
  const rules = fields.map(({ key }) => ({
    key,
    label: key,
    group: 'company',
    points: 10,
    when: { field: `custom.${key}`, op: 'is_set' },
  }))
  const fit = { rules, group_caps: { company: 50 } }
  const weights = { fit: 1, engagement: 0 }
  await acme.manager.put(`${leadsUrl}scoring-config`, { ...defaultScoringConfig, fit, weights })
  const { body } = await acme.member.post(leadsUrl, { last_name: 'Moss', custom: { level: 'high', rank: 'low' } })
  const scoreOf = async () => (await acme.viewer.get(`${leadsUrl}${body.id}`)).body.score

  await startTestWorker()
  await acme.manager.patch(`${fieldsUrl}/${fields[0].id}`, { is_active: false })
  await waitUntil(async () => (await scoreOf()) === 10)
  await acme.admin.delete(`${fieldsUrl}/${fields[1].id}?force=true`)
  await waitUntil(async () => (await scoreOf()) === 0)

  assert.equal(body.score, 20)
})

test('purging a deleted record removes its index rows and unique values', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'code', is_unique: true })
  const { body } = await acme.member.post(leadsUrl, { last_name: 'Moss', custom: { code: 'A' } })
  await acme.manager.delete(`${leadsUrl}${body.id}`)
  await acme.sql(`update crm.leads set deleted_at = now() - interval '31 days' where id = $1`, [body.id])
  const count = async (table: string) =>
    (await acme.sql(`select from ${table} where record_id = $1`, [body.id])).rows.length

  const kept = await count('crm.custom_field_index')
  await runScheduleNow(services.jobQueue, 'crm.purge_deleted')
  await waitUntil(async () => (await acme.sql('select from crm.leads where id = $1', [body.id])).rows.length === 0)

  assert.deepEqual([kept, await count('crm.custom_field_index'), await count('crm.custom_field_unique')], [1, 0, 0])
})
