import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { accountFields } from '../../records/fields/account-fields.ts'
import { contactFields } from './contact-values.ts'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Listed = { id: string; last_name: string; account: { name: string } | null }

const url = '/api/contacts/'
const add = async (acme: Acme, contact: object) => (await acme.member.post(url, contact)).body
const names = async (acme: Acme, query: string) =>
  (await acme.member.get(`${url}?${query}`)).body.map(({ last_name }: Listed) => last_name)

/** Reads all pages by following the `next` links. */
async function readAllPages(acme: Acme, query: string): Promise<Listed[]> {
  const contacts: Listed[] = []
  for (let next = `${url}?${query}`; next; ) {
    const { status, body, headers } = await acme.member.get(next)
    assert.equal(status, 200)
    contacts.push(...body)
    next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
  }
  return contacts
}

async function fiveContacts(acme: Acme) {
  const accounts = []
  for (const name of ['Umbrella', 'Initech']) accounts.push((await acme.member.post('/api/accounts/', { name })).body)
  const [umbrella, initech] = accounts
  for (const [last_name, account_id] of [
    ['Adams', initech.id],
    ['Brown', null],
    ['Clark', umbrella.id],
    ['Davis', null],
    ['Evans', initech.id],
  ])
    await add(acme, { last_name, account_id })
  return { umbrella, initech }
}

test('crm-2-3 contacts without an account are last in both directions, and pages neither repeat nor skip contacts', async () => {
  const acme = await tenant()
  await fiveContacts(acme)

  const up = await readAllPages(acme, 'sort_by=account_name&sort_dir=asc&limit=2')
  const down = await readAllPages(acme, 'sort_by=account_name&sort_dir=desc&limit=2')

  assert.deepEqual(
    up.map(({ last_name }) => last_name),
    ['Adams', 'Evans', 'Clark', 'Brown', 'Davis'],
  )
  assert.deepEqual(
    down.map(({ last_name }) => last_name),
    ['Clark', 'Evans', 'Adams', 'Davis', 'Brown'],
  )
  assert.deepEqual(
    up.map(({ account }) => account?.name ?? null),
    ['Initech', 'Initech', 'Umbrella', null, null],
  )
  const byOffset = await Promise.all(
    [0, 2, 4].map((offset) => names(acme, `sort_by=account_name&sort_dir=asc&limit=2&offset=${offset}`)),
  )
  assert.deepEqual(byOffset.flat(), ['Adams', 'Evans', 'Clark', 'Brown', 'Davis'])
})

test('every sort works in both directions with missing values last', async () => {
  const acme = await tenant()
  await add(acme, { first_name: 'Éva', last_name: 'Moss', email: 'b@x.example', lifecycle_stage: 'sql' })
  await add(acme, { email: 'A@x.example', lifecycle_stage: 'lead' })
  await add(acme, { first_name: 'ada', last_name: 'Roy', lifecycle_stage: 'customer' })
  const sorted = async (by: string, dir: string) =>
    (await readAllPages(acme, `sort_by=${by}&sort_dir=${dir}&limit=1`)).map((row) => row[by as 'id'])

  assert.deepEqual(await sorted('name', 'asc'), ['ada Roy', 'Éva Moss', null])
  assert.deepEqual(await sorted('name', 'desc'), ['Éva Moss', 'ada Roy', null])
  assert.deepEqual(await sorted('email', 'asc'), ['A@x.example', 'b@x.example', null])
  assert.deepEqual(await sorted('email', 'desc'), ['b@x.example', 'A@x.example', null])
  assert.deepEqual(await sorted('lifecycle_stage', 'asc'), ['customer', 'lead', 'sql'])
  assert.deepEqual(await sorted('lifecycle_stage', 'desc'), ['sql', 'lead', 'customer'])
  const oldestFirst = await sorted('created_at', 'asc')
  assert.deepEqual(await sorted('created_at', 'desc'), oldestFirst.toReversed())
  assert.deepEqual(await names(acme, ''), ['Roy', null, 'Moss'], 'newest first')
})

test('crm-2-4 invalid sorts and filters are rejected, and a foreign account has no contacts', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await fiveContacts(acme)
  const foreign = (await other.member.post('/api/accounts/', { name: 'Initech' })).body

  for (const query of [
    'sort_by=phone',
    'sort_dir=up',
    'account_id=not-a-uuid',
    'lifecycle_stage=fan',
    'limit=201',
    'filter=%7B',
  ]) {
    const { status, body } = await acme.member.get(`${url}?${query}`)
    assert.deepEqual([status, body.errors[0].path.split('/')[1]], [422, query.split('=')[0]], query)
  }
  const { status, body, headers } = await acme.member.get(`${url}?account_id=${foreign.id}`)
  assert.deepEqual([status, body, headers['x-total-count']], [200, [], '0'])
  const cursor = /cursor=([^&>]+)/.exec(String((await acme.member.get(`${url}?limit=1`)).headers.link))![1]
  for (const query of ['sort_dir=asc', 'sort_by=name', 'account_id=none', 'search=moss'])
    assert.equal((await acme.member.get(`${url}?${query}&cursor=${cursor}`)).status, 422, query)
})

test('every filter works alone and combined', async () => {
  const acme = await tenant()
  const { initech } = await fiveContacts(acme)
  await add(acme, { last_name: 'Moss', email: 'moss@globex.example', tags: ['vip'], owner_id: acme.member.userId })
  await add(acme, { last_name: 'Roy', lifecycle_stage: 'sql', tags: ['vip'] })
  const rule = (json: object) => `filter=${encodeURIComponent(JSON.stringify(json))}`

  assert.deepEqual(await names(acme, `account_id=${initech.id}`), ['Evans', 'Adams'])
  assert.deepEqual(await names(acme, 'account_id=none'), ['Roy', 'Moss', 'Davis', 'Brown'])
  assert.deepEqual(await names(acme, 'lifecycle_stage=sql'), ['Roy'])
  assert.deepEqual(await names(acme, 'lifecycle_stage=sql,lead&limit=3'), ['Roy', 'Moss', 'Evans'])
  assert.deepEqual(await names(acme, 'lifecycle_stage=sql,lead&tag=vip&sort_by=name&sort_dir=asc'), ['Moss', 'Roy'])
  assert.deepEqual(await names(acme, 'owner_id=me'), ['Moss'])
  assert.deepEqual(await names(acme, 'search=glob%20mo'), ['Moss'])
  assert.deepEqual(await names(acme, 'search=initech&sort_by=name&sort_dir=asc'), ['Adams', 'Evans'])
  assert.deepEqual(await names(acme, rule({ field: 'account.name', op: 'eq', value: 'umbrella' })), ['Clark'])
  assert.deepEqual(await names(acme, rule({ field: 'account.name', op: 'is_not_set' })), [
    'Roy',
    'Moss',
    'Davis',
    'Brown',
  ])
  const counted = await acme.member.get(`${url}?${rule({ field: 'tags', op: 'contains_any', value: ['vip'] })}&limit=1`)
  assert.equal(counted.headers['x-total-count'], '2')
  assert.equal((await acme.member.get(`${url}?${rule({ field: 'salary', op: 'is_set' })}`)).status, 422)
})

test('contacts can be filtered by every field of their account', async () => {
  const acme = await tenant()
  const address = { city: 'Bonn', region: 'NRW', country: 'DE' }
  const parent = (await acme.member.post('/api/accounts/', { name: 'Parent' })).body
  const initech = {
    name: 'Initech',
    domain: 'initech.example',
    type: 'partner',
    tags: ['vip'],
    notes: 'Pays late',
    address,
  }
  const account = (await acme.member.post('/api/accounts/', { ...initech, parent_account_id: parent.id })).body
  await add(acme, { last_name: 'Moss', account_id: account.id })
  await add(acme, { last_name: 'Roy', account_id: parent.id, tags: ['vip'] })
  await add(acme, { last_name: 'Jen' })
  const matches = (field: string, op: string, value: unknown) =>
    names(
      acme,
      `filter=${encodeURIComponent(JSON.stringify({ field: `account.${field}`, op, value }))}&sort_by=name&sort_dir=asc`,
    )

  assert.deepEqual(
    Object.keys(accountFields).filter((key) => !(`account.${key}` in contactFields)),
    [],
  )
  for (const [field, op, value] of [
    ['domain', 'eq', 'INITECH.example'],
    ['type', 'in', ['partner', 'competitor']],
    ['tags', 'contains_any', ['vip']],
    ['tags', 'contains_all', ['vip']],
    ['notes', 'contains', 'late'],
    ['address.city', 'eq', 'bonn'],
    ['address.country', 'eq', 'DE'],
    ['parent_account_id', 'eq', parent.id],
  ] as const)
    assert.deepEqual(await matches(field, op, value), ['Moss'], `${field} ${op}`)
  assert.deepEqual(await matches('tags', 'contains_none', ['vip']), ['Jen', 'Roy'])
  const rule = JSON.stringify({ field: 'account.type', op: 'eq', value: 'nonsense' })
  const { status, body } = await acme.member.get(`${url}?filter=${encodeURIComponent(rule)}`)
  assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, '/filter/value', 'unknown_option'])
})

test('crm-2-5 renaming an account renames it in its contacts immediately', async () => {
  const acme = await tenant()
  const { initech } = await fiveContacts(acme)

  await acme.member.patch(`/api/accounts/${initech.id}`, { name: 'Zed Industries' })

  const listed = (await acme.member.get(`${url}?sort_by=account_name&sort_dir=asc`)).body
  assert.deepEqual(
    listed.map(({ last_name, account_name }: Listed & { account_name: string | null }) => [last_name, account_name]),
    [
      ['Clark', 'Umbrella'],
      ['Adams', 'Zed Industries'],
      ['Evans', 'Zed Industries'],
      ['Brown', null],
      ['Davis', null],
    ],
  )
  assert.deepEqual(await names(acme, 'search=zed'), ['Evans', 'Adams'])
  assert.deepEqual(await names(acme, 'search=initech'), [])
  assert.ok(listed.every(({ version }: { version: number }) => version === 1))
})
