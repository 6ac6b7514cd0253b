import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { memberIds, newLead, newSegment } from '../segments/segments.fixture.ts'

const { tenant, db, services } = await startTestApp()

test('a merge moves members to the surviving lead, once per segment', async () => {
  const acme = await tenant()
  const [kept, duplicate] = [await newLead(acme, {}), await newLead(acme, {})]
  const onlyDuplicate = await newSegment(acme, { kind: 'static', record_ids: [duplicate] })
  const both = await newSegment(acme, { kind: 'static', record_ids: [kept, duplicate] })

  const merged = await acme.manager.post(`/api/leads/${kept}/merge`, { duplicate_ids: [duplicate] })
  const afterMerge = [await memberIds(acme, onlyDuplicate.id), await memberIds(acme, both.id)]

  assert.equal(merged.status, 200)
  assert.deepEqual(afterMerge, [[kept], [kept]])
})

test('an erasure removes the person from static segments', async () => {
  const acme = await tenant()
  const [lead, other] = [await newLead(acme, {}), await newLead(acme, {})]
  const segment = await newSegment(acme, { kind: 'static', record_ids: [lead, other] })
  const erasure = services.registry.erasures.find(({ name }) => name === 'marketing.segments')!
  const person = {
    lead_ids: [lead],
    contact_ids: [],
    email_keys: [],
    phones: [],
    names: [],
    subject_hashes: [],
    account_ids: [],
    opportunity_ids: [],
  }

  const erase = () => inTenant(db, systemActor(acme.id), (tx) => erasure.erase(tx, person))
  const first = await erase()
  const second = await erase()

  assert.deepEqual([first.counts['marketing.segment_members'], second.counts['marketing.segment_members']], [1, 0])
  assert.deepEqual(await memberIds(acme, segment.id), [other])
})

test('the integrity checks find and repair a wrong state and wrong references', async () => {
  const acme = await tenant()
  const { id } = await newSegment(acme)
  await acme.sql(`update marketing.segments set state = 'invalid' where id = $1`, [id])
  await acme.sql(`insert into marketing.segment_references values ($1, $2, 'field', 'lead.custom.gone')`, [acme.id, id])
  const run = {
    tenantId: acme.id,
    signal: new AbortController().signal,
    inTenant: <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work),
  }
  const checks = services.registry.integrityChecksOf(services).filter(({ code }) => code.startsWith('segment_'))
  const findAll = async () => {
    const found = []
    for (const check of checks) found.push(...(await check.find(run, 10)).map((record) => `${check.code} ${record.id}`))
    return found
  }

  const before = await findAll()
  for (const check of checks) await check.repair!(run, [{ resource_type: 'segment', id }])

  assert.deepEqual(before, [`segment_state ${id}`, `segment_references ${id}`])
  assert.deepEqual(await findAll(), [])
})
