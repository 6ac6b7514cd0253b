import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newContact } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import { newActiveCadence } from '../../cadences/cadences/cadences.fixture.ts'
import { addMembers, newCampaign, newLead } from './campaigns.fixture.ts'

const { tenant } = await startTestApp()

type Acme = Awaited<ReturnType<typeof tenant>>
const list = (acme: Acme, rule: object, path = 'leads') =>
  acme.viewer.get(`/api/${path}/?filter=${encodeURIComponent(JSON.stringify(rule))}`)
const idsOf = async (acme: Acme, rule: object) =>
  (await list(acme, rule)).body.items.map(({ id }: { id: string }) => id).sort()
const fact = (params: object) => ({ fact: 'campaign', ...params })

test('crm-7-12 the fact with the campaign of another workspace is rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newCampaign(other)

  const { status, body } = await list(acme, { all: [fact({ campaign_id: id })] })
  const unknown = await list(acme, fact({ campaign: id }))

  assert.equal(status, 422)
  assert.deepEqual([body.errors[0].path, body.errors[0].code], ['/filter/all/0/campaign_id', 'unknown_reference'])
  assert.equal(unknown.status, 422)
})

test('leads and contacts are found by campaign, status, response and time, and by the lack of a campaign', async () => {
  const acme = await tenant()
  const [one, two] = [await newCampaign(acme), await newCampaign(acme)]
  const [a, b, c] = [await newLead(acme), await newLead(acme), await newLead(acme)]
  const contact = await newContact(acme)
  await addMembers(acme, one.id, { lead_ids: [a], status: 'sent' })
  await addMembers(acme, one.id, { lead_ids: [b], contact_ids: [contact], status: 'replied' })
  await addMembers(acme, two.id, { lead_ids: [b] })
  await acme.sql(
    `update marketing.campaign_members set first_touched_at = now() - interval '9 days' where lead_id = $1`,
    [a],
  )
  const of = (id: string, more: object = {}) => fact({ campaign_id: id, ...more })

  assert.deepEqual(await idsOf(acme, of(one.id)), [a, b].sort())
  assert.deepEqual(await idsOf(acme, of(two.id)), [b])
  assert.deepEqual(await idsOf(acme, of(one.id, { statuses: ['sent'] })), [a])
  assert.deepEqual(await idsOf(acme, of(one.id, { responded: true })), [b])
  assert.deepEqual(await idsOf(acme, of(one.id, { responded: false })), [a])
  assert.deepEqual(await idsOf(acme, of(one.id, { within_days: 7 })), [b])
  assert.deepEqual(await idsOf(acme, fact({})), [a, b].sort())
  assert.deepEqual(await idsOf(acme, { not: fact({}) }), [c])
  assert.deepEqual(await idsOf(acme, { any: [of(two.id), of(one.id, { statuses: ['sent'] })] }), [a, b].sort())
  const contacts = (await list(acme, of(one.id, { responded: true }), 'contacts')).body
  assert.equal((Array.isArray(contacts) ? contacts : contacts.items)[0].id, contact)
})

test('a segment shows the names of what its rules refer to and of the targets of its flows', async () => {
  const acme = await tenant()
  const [fair, empty] = [await newCampaign(acme), await newCampaign(acme)]
  const cadence = await newActiveCadence(acme)
  const post = async (url: string, body: object) => {
    const response = await acme.member.post(url, body)
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const used = await post('/api/segments', { object_type: 'lead', name: 'Used', rules: { all: [] } })
  const rules = {
    all: [fact({ campaign_id: fair.id }), fact({ campaign_id: empty.id }), { fact: 'segment', segment_id: used.id }],
  }
  const segment = await post('/api/segments', { object_type: 'lead', name: 'Visitors', rules })
  const url = `/api/segments/${segment.id}`
  const targets = [
    { target_type: 'campaign', target_id: fair.id },
    { target_type: 'cadence', target_id: cadence.id },
  ]
  for (const target of targets) await post(`${url}/enroll`, { ...target, mode: 'continuous' })
  await acme.manager.delete(`/api/campaigns/${empty.id}`)

  const { body } = await acme.viewer.get(url)
  const { items } = (await acme.viewer.get(`${url}/flows`)).body

  const names = new Map([
    [fair.id, fair.name],
    [cadence.id, cadence.name],
  ])
  type Named = { ref: string; target_id: string; name: string | null; target: object; target_type: string }
  assert.deepEqual(Object.fromEntries(body.references.map(({ ref, name }: Named) => [ref, name])), {
    [fair.id]: fair.name,
    [empty.id]: null,
    [used.id]: 'Used',
  })
  assert.deepEqual(
    items.map(({ target_type, target_id, target }: Named) => ({ target_type, target_id, target })),
    targets.map((target) => ({ ...target, target: { id: target.target_id, name: names.get(target.target_id) } })),
  )
  assert.deepEqual(
    body.used_by.map(({ name, target_type, target }: Named) => [name, target_type, target]),
    items.map(({ target_type, target_id, target }: Named) => [names.get(target_id), target_type, target]),
  )
})
