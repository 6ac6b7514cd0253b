import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/accounts/'
const add = async (acme: Acme, account: object) => (await acme.member.post(url, { name: 'Initech', ...account })).body
const names = async (acme: Acme, query = '') =>
  (await acme.member.get(`${url}?${query}`)).body.items.map(({ name }: { name: string }) => name)

test('all fields of an account are stored', async () => {
  const acme = await tenant()
  const parent = await add(acme, { name: 'Holding' })
  await createField(acme, { object_type: 'account', key: 'tier' })
  const input = {
    name: 'Initech GmbH',
    domain: 'Initech.example',
    website: 'https://initech.example',
    type: 'customer',
    industry: 'Software',
    employee_count: 300,
    annual_revenue: { amount: '1250000.50', currency: 'EUR' },
    phone: '+49 30 901820',
    address: { line1: 'Road 1', city: 'Berlin', country: 'DE' },
    timezone: 'Europe/Berlin',
    parent_account_id: parent.id,
    owner_id: acme.manager.userId,
    tags: ['vip'],
    notes: 'Likes tea',
    custom: { tier: 'gold' },
  }

  const { status, headers, body } = await acme.member.post(url, input)

  assert.deepEqual([status, headers.location, headers.etag], [201, `/api/accounts/${body.id}`, '"1"'])
  assert.partialDeepStrictEqual(body, {
    ...input,
    domain: 'initech.example',
    parent: { id: parent.id, name: 'Holding' },
    owner: { id: acme.manager.userId, name: acme.manager.name },
    stats: {
      contacts: 0,
      open_opportunities: 0,
      open_amount: { amount: '0.00', currency: 'EUR' },
      won_amount: { amount: '0.00', currency: 'EUR' },
      last_activity_at: null,
    },
  })
  assert.deepEqual((await acme.member.get(`${url}${body.id}`)).body, body)
  const same = await acme.member.patch(`${url}${body.id}`, {
    annual_revenue: { amount: '1250000.5', currency: 'EUR' },
    domain: 'INITECH.example',
  })
  assert.equal(same.body.version, 1)
  const changed = await acme.member.patch(`${url}${body.id}`, { address: null, annual_revenue: null, type: 'partner' })
  assert.partialDeepStrictEqual(changed.body, { address: null, annual_revenue: null, type: 'partner', version: 2 })
  const events = await acme.events()
  for (const type of ['account.created', 'account.updated']) assert.ok(events.includes(type), type)
})

test('a domain is unique, even with concurrent creates', async () => {
  const acme = await tenant()
  const account = { name: 'Initech', domain: 'initech.example' }

  const responses = await Promise.all([acme.member.post(url, account), acme.manager.post(url, account)])
  const [added, refused] = responses.toSorted((one, other) => one.status - other.status)
  const other = await add(acme, { name: 'Umbrella' })
  const taken = await acme.member.patch(`${url}${other.id}`, { domain: 'INITECH.example' })

  assert.deepEqual([added!.status, refused!.status, refused!.body.existing_id], [201, 409, added!.body.id])
  assert.deepEqual([taken.status, taken.body.existing_id], [409, added!.body.id])
  assert.equal((await acme.manager.delete(`${url}${added!.body.id}`)).status, 204)
  assert.equal((await acme.member.patch(`${url}${other.id}`, { domain: 'initech.example' })).status, 200)
  const back = await acme.manager.post(`${url}${added!.body.id}/restore`)
  assert.deepEqual([back.status, back.body.code, back.body.existing_id], [409, 'already_exists', other.id])
})

test('crm-3-9 an account cannot be its own ancestor or nested more than five levels deep', async () => {
  const acme = await tenant()
  const a = await add(acme, { name: 'A' })
  const b = await add(acme, { name: 'B', parent_account_id: a.id })
  const move = (id: string, parent_account_id: string) => acme.member.patch(`${url}${id}`, { parent_account_id })

  for (const parent of [a.id, b.id]) {
    const { status, body } = await move(a.id, parent)
    assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, '/parent_account_id', 'cycle'])
  }
  let lowest = b.id
  for (const name of ['C', 'D', 'E']) lowest = (await add(acme, { name, parent_account_id: lowest })).id
  const sixth = await acme.member.post(url, { name: 'F', parent_account_id: lowest })
  assert.deepEqual([sixth.status, sixth.body.errors[0].code], [422, 'depth'])
  const top = await add(acme, { name: 'Top' })
  const moved = await move(a.id, top.id)
  assert.deepEqual([moved.status, moved.body.errors[0].code], [422, 'depth'])
  assert.equal((await move(a.id, newId())).body.code, 'unknown_reference')
})

test('two concurrent moves cannot create a cycle', async () => {
  const acme = await tenant()
  const [a, b] = [await add(acme, { name: 'A' }), await add(acme, { name: 'B' })]

  const responses = await Promise.all([
    acme.member.patch(`${url}${a.id}`, { parent_account_id: b.id }),
    acme.member.patch(`${url}${b.id}`, { parent_account_id: a.id }),
  ])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422])
})

test('the list is sorted, filtered and searched', async () => {
  const acme = await tenant()
  const holding = await add(acme, { name: 'Holding', type: 'partner', industry: 'Finance' })
  await add(acme, { name: 'émile', type: 'customer', parent_account_id: holding.id, tags: ['vip'] })
  const dora = await add(acme, { name: 'Dora', type: 'customer', owner_id: acme.member.userId, domain: 'dora.example' })
  await acme.member.post(`${url}${dora.id}/activities`, { type: 'note' })

  assert.deepEqual(await names(acme), ['Dora', 'émile', 'Holding'])
  assert.deepEqual(await names(acme, 'sort=-name'), ['Holding', 'émile', 'Dora'])
  assert.deepEqual(await names(acme, 'sort=created_at'), ['Holding', 'émile', 'Dora'])
  assert.deepEqual(await names(acme, 'sort=-updated_at'), ['Dora', 'émile', 'Holding'])
  assert.deepEqual((await names(acme, 'sort=last_activity_at'))[0], 'Dora')
  assert.deepEqual((await names(acme, 'sort=-last_activity_at'))[0], 'Dora')
  assert.deepEqual(await names(acme, 'type=customer,partner'), ['Dora', 'émile', 'Holding'])
  assert.deepEqual(await names(acme, 'type=customer&sort=-created_at'), ['Dora', 'émile'])
  assert.deepEqual(await names(acme, 'owner_id=me'), ['Dora'])
  assert.deepEqual(await names(acme, 'industry=Finance'), ['Holding'])
  assert.deepEqual(await names(acme, `parent_account_id=${holding.id}`), ['émile'])
  assert.deepEqual(await names(acme, 'tag=vip'), ['émile'])
  assert.deepEqual(await names(acme, 'search=emi'), ['émile'])
  assert.deepEqual(await names(acme, `filter=${encodeURIComponent('{"field":"domain","op":"is_set"}')}`), ['Dora'])
  const paged: string[] = []
  for (let query: string | undefined = 'limit=1&sort=-last_activity_at'; query; ) {
    const { body }: { body: { items: { name: string }[]; next_cursor: string | null } } = await acme.member.get(
      `${url}?${query}`,
    )
    paged.push(...body.items.map(({ name }) => name))
    query = body.next_cursor ? `limit=1&sort=-last_activity_at&cursor=${body.next_cursor}` : undefined
  }
  assert.deepEqual(paged.toSorted(), ['Dora', 'Holding', 'émile'])
  for (const query of ['sort=phone', 'type=friend', 'owner_id=x', 'search='])
    assert.equal((await acme.member.get(`${url}?${query}`)).status, 422, query)
})

test('a list with totals has those of each account, also in summaries', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [busy, idle, foreign] = [
    await add(acme, { name: 'Busy' }),
    await add(acme, { name: 'Idle' }),
    await add(other, {}),
  ]
  const deal = (account_id: string, amount: string, currency = 'EUR') => ({
    name: 'Deal',
    account_id,
    close_on: '2030-01-01',
    amount: { amount, currency },
  })
  await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: busy.id })
  for (const amount of ['100.00', '20.50']) await acme.member.post('/api/opportunities/', deal(busy.id, amount))
  const { body: won } = await acme.member.post('/api/opportunities/', deal(busy.id, '7.00'))
  await acme.member.patch(`/api/opportunities/${won.id}`, { stage_key: 'closed_won' })
  const { body: deleted } = await acme.member.post('/api/opportunities/', deal(idle.id, '9.00'))
  await acme.manager.delete(`/api/opportunities/${deleted.id}`)
  await other.member.post('/api/opportunities/', deal(foreign.id, '55.00'))
  const read = async (query: string) => (await acme.viewer.get(`${url}?${query}`)).body.items

  const summaries = await read('fields=summary&include=stats')
  const full = await read('include=stats')

  const single = async ({ id }: { id: string }) => (await acme.viewer.get(`${url}${id}`)).body
  assert.deepEqual(full, [await single(busy), await single(idle)])
  assert.partialDeepStrictEqual(summaries[0].stats, {
    contacts: 1,
    open_opportunities: 2,
    open_amount: { amount: '120.50' },
    won_amount: { amount: '7.00', currency: 'EUR' },
  })
  assert.deepEqual(
    summaries.map(({ stats }: { stats: object }) => stats),
    full.map(({ stats }: { stats: object }) => stats),
  )
  assert.deepEqual([Object.keys((await read(''))[0]).includes('stats'), 'notes' in summaries[0]], [false, false])
  assert.deepEqual((await acme.viewer.get(`${url}?include=stats&search=unknown`)).body.items, [])
  assert.equal((await acme.viewer.get(`${url}?include=deals`)).status, 422)
})

test('accounts of another workspace return 404, and members cannot delete accounts', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await add(acme, {}), await add(other, { domain: 'x.example' })]

  const responses = [
    await acme.admin.get(`${url}${foreign.id}`),
    await acme.admin.patch(`${url}${foreign.id}`, { name: 'Mine' }),
    await acme.admin.delete(`${url}${foreign.id}`),
    await acme.admin.post(`${url}${foreign.id}/restore`),
    await acme.admin.get(`${url}${foreign.id}/contacts`),
  ]
  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  const below = await acme.admin.post(url, { name: 'Below', parent_account_id: foreign.id })
  assert.deepEqual([below.status, below.body.code], [422, 'unknown_reference'])
  assert.equal((await acme.member.delete(`${url}${own.id}`)).body.code, 'scope_required')
  assert.equal((await acme.viewer.post(url, { name: 'Mine' })).status, 403)
  for (const account of [
    {},
    { name: '' },
    { name: 'A', domain: 'no domain' },
    { name: 'A', address: { country: 'QX' } },
  ])
    assert.equal((await acme.member.post(url, account)).status, 422)
})
