import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newAccount, newContact, newDeal } from '../../deals/opportunities/opportunities.fixture.ts'
import { type Acme, createLeadWith } from '../../people/leads/leads.fixture.ts'

const { tenant } = await startTestApp()

type Found = { type: string; id: string; title: string; subtitle: string | null; path: string }

async function search(client: Acme['member'], query: string): Promise<Found[]> {
  const { status, body } = await client.get(`/api/search?${query}`)
  assert.equal(status, 200)
  return body.items
}

test('a search finds records of every type by their name, in the order of the types', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, { last_name: 'Quixote', title: 'CEO', company: 'Rocinante' })
  const contact = await newContact(acme, 'Quixote')
  const account = await newAccount(acme, 'Quixote Mills')
  const deal = await newDeal(acme, { name: 'Quixote renewal', account_id: account })
  const rules = { field: 'last_name', op: 'eq', value: 'Quixote' }
  const segment = (
    await acme.member.post('/api/segments/', { name: 'Quixote fans', object_type: 'lead', kind: 'dynamic', rules })
  ).body
  const cadence = (await acme.member.post('/api/cadences/', { name: 'Quixote cadence' })).body
  const campaign = (await acme.member.post('/api/campaigns/', { name: 'Quixote webinar', type: 'webinar' })).body
  const room = (await acme.member.post('/api/enablement/rooms/', { name: 'Quixote room', account_id: account })).body
  const content = await publishContent(acme, 'Quixote guide')

  const found = await search(acme.member, 'q=quix')

  assert.deepEqual(
    found.map(({ type, id, path }) => [type, id, path]),
    [
      ['lead', lead.id, `/leads/${lead.id}`],
      ['contact', contact, `/contacts/${contact}`],
      ['account', account, `/accounts/${account}`],
      ['opportunity', deal.id, `/deals/${deal.id}`],
      ['segment', segment.id, `/segments/${segment.id}`],
      ['campaign', campaign.id, `/campaigns/${campaign.id}`],
      ['cadence', cadence.id, `/cadences/${cadence.id}`],
      ['content', content, `/content/${content}`],
      ['room', room.id, `/rooms/${room.id}`],
    ],
  )
  assert.deepEqual(
    found.map(({ title, subtitle }) => [title, subtitle]),
    [
      ['Quixote', 'CEO, Rocinante'],
      ['Quixote', null],
      ['Quixote Mills', null],
      ['Quixote renewal', 'Quixote Mills'],
      ['Quixote fans', 'Leads'],
      ['Quixote webinar', 'Webinar'],
      ['Quixote cadence', 'Draft'],
      ['Quixote guide', 'One pager'],
      ['Quixote room', 'Quixote Mills'],
    ],
  )
})

async function publishContent(acme: Acme, title: string): Promise<string> {
  const { body } = await acme.manager.post('/api/enablement/content/', { title, type: 'one_pager', body: 'Text' })
  await acme.manager.patch(`/api/enablement/content/${body.id}`, { status: 'published' })
  return body.id
}

test('names that begin with the search come first, then words, then the last activity', async () => {
  const acme = await tenant()
  const inside = await createLeadWith(acme, { last_name: 'Pinnacle' })
  const second = await createLeadWith(acme, { last_name: 'Van Nacht' })
  const older = await createLeadWith(acme, { last_name: 'Nacelle' }, { last_activity_at: '2026-01-01T00:00:00Z' })
  const newer = await createLeadWith(acme, { last_name: 'Nacre' }, { last_activity_at: '2026-02-01T00:00:00Z' })

  const found = await search(acme.member, 'q=NÁC&types=lead')

  assert.deepEqual(
    found.map(({ id }) => id),
    [newer.id, older.id, second.id, inside.id],
  )
  assert.equal((await search(acme.member, 'q=nac&types=lead&limit=1')).length, 1)
})

test('deleted, archived and hidden records and records of other workspaces are not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const deleted = await createLeadWith(acme, { last_name: 'Zephyr' })
  await acme.manager.delete(`/api/leads/${deleted.id}`)
  const { body: room } = await acme.member.post('/api/enablement/rooms/', { name: 'Zephyr' })
  await acme.member.patch(`/api/enablement/rooms/${room.id}`, { status: 'archived' })
  await acme.manager.post('/api/enablement/content/', { title: 'Zephyr draft', type: 'one_pager', body: 'Text' })
  await createLeadWith(other, { last_name: 'Zephyr' })

  assert.deepEqual(await search(acme.member, 'q=zephyr'), [])
})

test('types without their scope are left out', async () => {
  const acme = await tenant()
  await createLeadWith(acme, { last_name: 'Quill' })
  const account = await newAccount(acme, 'Quill')
  const { key } = (await acme.member.post('/api/api-keys', { name: 'Search', scopes: ['accounts.read'] })).body
  const client = acme.bearer(`ApiKey ${key}`) as Acme['member']

  assert.deepEqual(
    (await search(client, 'q=quill')).map(({ id }) => id),
    [account],
  )
  assert.deepEqual(await search(client, 'q=quill&types=lead'), [])
  assert.equal((await acme.anonymous.get('/api/search?q=quill')).status, 401)
})

test('a search without letters finds nothing, and an invalid one is rejected', async () => {
  const acme = await tenant()
  await createLeadWith(acme, { last_name: 'Moss' })
  const errorOf = async (query: string) => {
    const { status, body } = await acme.member.get(`/api/search?${query}`)
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await search(acme.member, 'q=%25%25'), [])
  assert.deepEqual(await errorOf('q=a'), [422, '/q'])
  assert.deepEqual(await errorOf(`q=${'a'.repeat(101)}`), [422, '/q'])
  assert.deepEqual(await errorOf('q=moss&types=shoe'), [422, '/types/0'])
  assert.deepEqual(await errorOf('q=moss&limit=11'), [422, '/limit'])
  assert.deepEqual(await errorOf(''), [422, '/q'])
})
