import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { listSegmentPersonIds } from './segment-persons.service.ts'
import { everything, newLead, newSegment, type Workspace } from './segments.fixture.ts'

const { tenant, db, services } = await startTestApp()

const listIds = (acme: Workspace, segmentId: string, page: { after?: string; limit: number } = { limit: 10 }) =>
  inTenant(db, systemActor(acme.id), (tx) =>
    listSegmentPersonIds(tx, { userId: acme.member.userId }, segmentId, page, services),
  )

test('members of segments of leads and contacts are listed in pages, and none of segments of accounts', async () => {
  const acme = await tenant()
  const leads = [await newLead(acme, {}), await newLead(acme, {}), await newLead(acme, {})].sort()
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Ng' })
  await acme.member.post('/api/accounts/', { name: 'Acme' })
  const ofLeads = await newSegment(acme, { rules: everything })
  const fixed = await newSegment(acme, { kind: 'static' })
  await acme.member.post(`/api/segments/${fixed.id}/members`, { add: [leads[1]] })
  const ofContacts = await newSegment(acme, { object_type: 'contact', rules: everything })
  const ofAccounts = await newSegment(acme, { object_type: 'account', rules: everything })

  assert.deepEqual(await listIds(acme, ofLeads.id, { limit: 2 }), { objectType: 'lead', ids: leads.slice(0, 2) })
  assert.deepEqual((await listIds(acme, ofLeads.id, { after: leads[1], limit: 2 })).ids, [leads[2]])
  assert.deepEqual((await listIds(acme, fixed.id)).ids, [leads[1]])
  assert.deepEqual(await listIds(acme, ofContacts.id), { objectType: 'contact', ids: [contact.id] })
  assert.deepEqual((await listIds(acme, ofAccounts.id)).ids, [])
})

test('segments that do not exist in the workspace have no members', async () => {
  const [acme, globex] = [await tenant(), await tenant()]
  const foreign = await newSegment(globex, { rules: everything })

  for (const id of [foreign.id, newId()]) await assert.rejects(listIds(acme, id), { status: 404 })
})
