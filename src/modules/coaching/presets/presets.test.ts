import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { tenantCreated } from '#events/identity'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { emit } from '#platform/outbox'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { type Acme, personasUrl, scenariosUrl } from '../coaching.fixture.ts'
import { assertUniqueKeys } from '../personas/personas.rules.ts'
import { NewPersona } from '../personas/personas.schemas.ts'
import { assertValidRubric } from '../scenarios/scenarios.rules.ts'
import { NewScenario } from '../scenarios/scenarios.schemas.ts'
import { presetPersonas } from './preset-personas.ts'
import { presetScenarios } from './preset-scenarios.ts'
import { createPresetsSchedule } from './presets.jobs.ts'
import { createPresets } from './presets.service.ts'

const app = await startTestApp({}, { isOwn: true })
const { tenant, db, startTestWorker } = app
const runSchedule = () => runTenantSchedule(app, createPresetsSchedule)
const listPersonas = async ({ manager }: Acme) => (await manager.get(`${personasUrl}?include_inactive=true`)).body.items
const listScenarios = async ({ member }: Acme) => (await member.get(scenariosUrl)).body.items

test('presets satisfy the rules of the API', () => {
  for (const { key, ...persona } of presetPersonas) {
    assert.deepEqual([...Value.Errors(NewPersona, persona)], [], key)
    assert.doesNotThrow(() => assertUniqueKeys(persona))
  }
  for (const { persona, ...scenario } of presetScenarios) {
    assert.deepEqual([...Value.Errors(NewScenario, scenario)], [], scenario.title)
    assert.doesNotThrow(() => assertValidRubric(scenario.rubric))
    assert.ok(presetPersonas.some(({ key }) => key === persona))
  }
  assert.equal(new Set(presetScenarios.map(({ type }) => type)).size, 6)
})

test('a new workspace gets four personas and six published scenarios that can be started', async () => {
  const acme = await tenant()
  await inTenant(db, systemActor(acme.id), (tx) => emit(tx, tenantCreated, acme, { slug: acme.slug }))
  const worker = await startTestWorker()
  await waitUntil(async () => (await listScenarios(acme)).length > 0)
  await worker.stop()

  const [personas, scenarios] = [await listPersonas(acme), await listScenarios(acme)]
  assert.deepEqual([personas.length, scenarios.length], [4, 6])
  assert.ok(personas.every((persona: { is_system: boolean; is_active: boolean }) => persona.is_system))
  for (const { id } of scenarios) {
    const { status, body, text } = await acme.member.post(`${scenariosUrl}${id}/roleplay/start`)
    assert.equal(status, 201, text)
    await acme.member.post(`/api/enablement/coaching/roleplay/${body.id}/finish`)
  }
  const changed = await acme.manager.patch(`${personasUrl}/${personas[0].id}`, { name: 'Our buyer' })
  assert.deepEqual([changed.status, changed.body.name], [200, 'Our buyer'])
  const audited = (await acme.audit()).filter((action) => /^coaching_(persona|scenario)\.created$/.test(action))
  assert.equal(audited.length, 10)
})

test('older workspaces get the presets at night, once, and deleted ones do not come back', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await other.manager.post(personasUrl, { name: 'Own', job_title: 'Buyer', style: 'driver' })

  await runSchedule()
  await Promise.all([1, 2].map(() => inTenant(db, systemActor(acme.id), createPresets)))
  const created = await listPersonas(acme)
  for (const { id } of await listScenarios(acme)) await acme.manager.delete(`${scenariosUrl}${id}`)
  for (const { id } of created) assert.equal((await acme.manager.delete(`${personasUrl}/${id}`)).status, 204)
  await runSchedule()

  assert.equal(created.length, 4)
  assert.deepEqual([await listPersonas(acme), await listScenarios(acme)], [[], []])
  assert.equal((await listPersonas(other)).length, 1)
})
