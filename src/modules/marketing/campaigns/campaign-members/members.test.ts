import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { newContact } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import {
  addMembers,
  campaignsUrl,
  getCampaign,
  listMembers,
  newCampaign,
  newLead,
  updateCampaign,
  updateMember,
} from '../campaigns/campaigns.fixture.ts'
import { setMemberStatuses } from './member-status.service.ts'

const { tenant, db, clock } = await startTestApp()

test('crm-4-3 adding the same lead twice in parallel creates one member', async () => {
  const acme = await tenant()
  const [{ id }, lead] = [await newCampaign(acme), await newLead(acme)]
  const add = () => addMembers(acme, id, { lead_ids: [lead] })

  const results = await Promise.all([add(), add(), add(), add()])

  assert.deepEqual(results.map(({ added }) => added).sort(), [0, 0, 0, 1])
  assert.deepEqual(results.map(({ already_member }) => already_member).sort(), [0, 1, 1, 1])
  assert.equal((await listMembers(acme, id)).length, 1)
  assert.equal((await getCampaign(acme, id)).member_count, 1)
})

test('crm-4-4 a converted lead stays one member and is listed among the contacts', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const lead = await newLead(acme, { email: 'moss@initech.example', company: 'Initech' })
  await addMembers(acme, id, { lead_ids: [lead] })
  const before = (await listMembers(acme, id, 'leads'))[0]

  const { body } = await acme.member.post(`/api/leads/${lead}/convert`, {})

  assert.deepEqual(await listMembers(acme, id, 'leads'), [])
  const [contact] = await listMembers(acme, id, 'contacts')
  assert.deepEqual([contact.id, contact.contact.id, contact.lead.id], [before.id, body.contact.id, lead])
  assert.equal((await listMembers(acme, id)).length, 1)
  const again = await addMembers(acme, id, { lead_ids: [lead], contact_ids: [body.contact.id] })
  assert.deepEqual([again.added, again.already_member], [0, 2])
})

test('crm-4-4 a lead whose contact is a member already keeps one row with the earliest touch and the response', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const lead = await newLead(acme, { email: 'moss@initech.example', company: 'Initech' })
  const { body: contact } = await acme.member.post('/api/contacts/', {
    last_name: 'Moss',
    email: 'moss@initech.example',
  })
  await addMembers(acme, id, { lead_ids: [lead], status: 'clicked' })
  const [early] = await listMembers(acme, id)
  await addMembers(acme, id, { contact_ids: [contact.id] })

  await acme.member.post(`/api/leads/${lead}/convert`, {})

  const [member, ...others] = await listMembers(acme, id)
  assert.deepEqual(others, [])
  assert.deepEqual([member.lead.id, member.contact.id], [lead, contact.id])
  assert.deepEqual([member.responded, member.status], [true, 'clicked'])
  assert.deepEqual([member.first_touched_at, member.responded_at], [early.first_touched_at, early.responded_at])
  const { member_count, responded_count } = await getCampaign(acme, id)
  assert.deepEqual([member_count, responded_count], [1, 1])
})

test('crm-4-5 a response is kept by a lower status, and signals only raise the rank', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
  const [{ id: memberId }] = await listMembers(acme, id)
  const signal = (status: string) =>
    inTenant(db, systemActor(acme.id), (tx) =>
      setMemberStatuses(tx, systemActor(acme.id), id, [memberId], { status, onlyRaise: true, now: clock.now() }),
    )

  const clicked = await updateMember(acme, id, memberId, { status: 'clicked', note: 'Asked for a demo' })
  const targeted = await updateMember(acme, id, memberId, { status: 'targeted' })
  await updateMember(acme, id, memberId, { status: 'replied' })
  const lower = await signal('opened')
  const [afterLower] = await listMembers(acme, id)
  const higher = await signal('unsubscribed')

  assert.deepEqual([clicked.responded, clicked.note], [true, 'Asked for a demo'])
  assert.deepEqual(
    [targeted.status, targeted.responded, targeted.responded_at],
    ['targeted', true, clicked.responded_at],
  )
  assert.deepEqual([lower.updated, lower.unchanged, afterLower.status], [0, 1, 'replied'])
  assert.equal(higher.updated, 1)
  assert.equal((await acme.events()).filter((type) => type === 'campaign.member_responded').length, 1)
})

test('a response is logged on the person, and the lead is scored again', async () => {
  const acme = await tenant()
  const { id, name } = await newCampaign(acme, { type: 'event' })
  const [lead, contact] = [await newLead(acme), await newContact(acme)]
  const before = (await acme.member.get(`/api/leads/${lead}`)).body

  await addMembers(acme, id, { lead_ids: [lead], contact_ids: [contact], status: 'registered' })

  const after = (await acme.member.get(`/api/leads/${lead}`)).body
  assert.ok(after.engagement_score > before.engagement_score)
  assert.equal(after.version, before.version)
  for (const path of [`/api/leads/${lead}/activities`, `/api/contacts/${contact}/activities`]) {
    const { items } = (await acme.member.get(path)).body
    const [logged] = items.filter(({ type }: { type: string }) => type === 'campaign_responded')
    assert.deepEqual([logged.subject, logged.campaign_id, logged.source], [name, id, 'campaign'])
  }
  const events = await acme.events()
  assert.ok(events.includes('lead.activity_logged') && events.includes('contact.activity_logged'))
})

test('unknown, foreign and deleted persons are listed as not found, and a request needs at least one id', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newCampaign(acme)
  const [lead, deleted, foreign, unknown] = [await newLead(acme), await newLead(acme), await newLead(other), newId()]
  await acme.manager.delete(`/api/leads/${deleted}`)

  const { added, failed } = await addMembers(acme, id, { lead_ids: [lead, lead, deleted, foreign, unknown] })
  const empty = await acme.member.post(`${campaignsUrl}${id}/members`, {})
  const status = await acme.member.post(`${campaignsUrl}${id}/members`, { lead_ids: [lead], status: 'attended' })

  assert.equal(added, 1)
  assert.deepEqual(
    failed,
    [deleted, foreign, unknown].map((failedId) => ({ id: failedId, code: 'not_found' })),
  )
  assert.deepEqual([empty.status, status.status], [422, 422])
})

test('members are listed by status, response, kind and name; deleted persons are left out until they are restored', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const [lead, contact] = [await newLead(acme, { last_name: 'Roy' }), await newContact(acme, 'Trenneman')]
  await addMembers(acme, id, { lead_ids: [lead], status: 'sent' })
  await addMembers(acme, id, { contact_ids: [contact], status: 'clicked' })
  const idsOf = async (list: string, query = '') =>
    (await listMembers(acme, id, list, query)).map(
      (member: { lead: { id: string } | null; contact: { id: string } | null }) =>
        member.contact?.id ?? member.lead?.id,
    )

  assert.deepEqual(await idsOf('members'), [contact, lead])
  assert.deepEqual([await idsOf('leads'), await idsOf('contacts')], [[lead], [contact]])
  assert.deepEqual(await idsOf('members', '?status=sent'), [lead])
  assert.deepEqual(await idsOf('members', '?responded=true'), [contact])
  assert.deepEqual(await idsOf('members', '?responded=false'), [lead])
  assert.deepEqual(await idsOf('members', '?search=trenn'), [contact])
  assert.deepEqual(await idsOf('members', '?search=roy'), [lead])
  await acme.manager.delete(`/api/leads/${lead}`)
  assert.deepEqual(await idsOf('members'), [contact])
  assert.equal((await getCampaign(acme, id)).member_count, 1)
  await acme.manager.post(`/api/leads/${lead}/restore`)
  assert.deepEqual(await idsOf('members'), [contact, lead])
  await acme.manager.delete(`/api/contacts/${contact}`)
  assert.deepEqual([await idsOf('members'), (await getCampaign(acme, id)).responded_count], [[lead], 0])
})

test('the campaigns of a lead are listed', async () => {
  const acme = await tenant()
  const [one, two, lead] = [await newCampaign(acme), await newCampaign(acme), await newLead(acme)]
  await addMembers(acme, one.id, { lead_ids: [lead] })
  await addMembers(acme, two.id, { lead_ids: [lead], status: 'replied' })

  const { status, body } = await acme.viewer.get(`/api/leads/${lead}/campaigns`)
  const missing = await acme.viewer.get(`/api/leads/${newId()}/campaigns`)

  assert.equal(status, 200)
  assert.deepEqual(
    body.items.map((item: { campaign: { id: string }; status: string }) => [item.campaign.id, item.status]),
    [
      [two.id, 'replied'],
      [one.id, 'targeted'],
    ],
  )
  assert.equal(missing.status, 404)
})

test('members are changed in bulk and removed, but not in an archived campaign', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  await addMembers(acme, id, { lead_ids: [await newLead(acme), await newLead(acme)] })
  const [one, two] = await listMembers(acme, id)
  const bulk = (member_ids: string[], status: string) =>
    acme.member.post(`${campaignsUrl}${id}/members/bulk-status`, { member_ids, status })
  const unknown = newId()

  const changed = await bulk([one.id, two.id, unknown], 'sent')
  const repeated = await bulk([one.id], 'sent')
  const invalid = await bulk([one.id], 'attended')
  const removed = await acme.member.delete(`${campaignsUrl}${id}/members/${one.id}`)
  const gone = await acme.member.patch(`${campaignsUrl}${id}/members/${one.id}`, { status: 'opened' })

  assert.deepEqual(changed.body, {
    updated: 2,
    unchanged: 0,
    failed_count: 1,
    failed: [{ id: unknown, code: 'not_found' }],
  })
  assert.deepEqual([repeated.body.unchanged, invalid.status], [1, 422])
  assert.deepEqual([removed.status, gone.status], [204, 404])
  assert.equal((await getCampaign(acme, id)).member_count, 1)
  await updateCampaign(acme, id, { status: 'archived' })
  assert.equal((await bulk([two.id], 'opened')).status, 409)
})

test('parallel changes of one member record one response', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
  const [member] = await listMembers(acme, id)

  await Promise.all(
    ['clicked', 'replied', 'clicked', 'replied'].map((status) => updateMember(acme, id, member.id, { status })),
  )

  const { rows } = await acme.sql(
    `select count(*)::integer as responses from crm.activities where tenant_id = $1 and type = 'campaign_responded'`,
    [acme.id],
  )
  assert.equal(rows[0].responses, 1)
  assert.equal((await getCampaign(acme, id)).responded_count, 1)
})

test('the response of a converted member is logged with the contact, also if the lead is deleted', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const lead = await newLead(acme, { email: 'moss@initech.example', company: 'Initech' })
  await addMembers(acme, id, { lead_ids: [lead] })
  const { body } = await acme.member.post(`/api/leads/${lead}/convert`, {})
  await acme.manager.delete(`/api/leads/${lead}`)
  const [member] = await listMembers(acme, id)

  await updateMember(acme, id, member.id, { status: 'replied' })

  const { items } = (await acme.member.get(`/api/contacts/${body.contact.id}/activities?type=campaign_responded`)).body
  assert.deepEqual(
    items.map(({ campaign_id }: { campaign_id: string }) => campaign_id),
    [id],
  )
})

test('members of a segment who have opted out are not enrolled into a campaign', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const people = []
  for (const name of ['one', 'two', 'out']) people.push(await newLead(acme, { email: `${name}@initech.example` }))
  const optOut = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  await acme.member.put(`/api/leads/${people[2]}/consent`, optOut)
  const segment = { object_type: 'lead', name: 'All', rules: { all: [] } }
  const { body } = await acme.member.post('/api/segments', segment)
  const enroll = () => acme.member.post(`/api/segments/${body.id}/enroll`, { target_type: 'campaign', target_id: id })

  const [first, second] = [await enroll(), await enroll()]

  assert.partialDeepStrictEqual(first.body, { matched: 3, enrolled: 2 })
  assert.deepEqual(first.body.skipped, { opted_out: 1 })
  assert.partialDeepStrictEqual(second.body, { matched: 3, enrolled: 0 })
  assert.deepEqual(second.body.skipped, { already_member: 2, opted_out: 1 })
  assert.equal((await listMembers(acme, id)).length, 2)
})

test('only managers and the owner of the campaign remove its members', async () => {
  const acme = await tenant()
  const { id } = (await acme.manager.post(campaignsUrl, { name: 'Of the manager', type: 'event' })).body
  await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
  const [member] = await listMembers(acme, id)
  const path = `${campaignsUrl}${id}/members/${member.id}`

  const foreign = await acme.member.delete(path)
  const own = await acme.manager.delete(path)

  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.equal(own.status, 204)
})
