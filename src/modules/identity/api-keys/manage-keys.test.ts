import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const make = async (person: Tenant['member'], fields: object = {}) =>
  (await person.post('/api/api-keys', { name: 'Nightly export', scopes: ['crm.read'], ...fields })).body
const namesIn = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name)
const urlOf = ({ id }: { id: string }) => `/api/api-keys/${id}`
const inOneMinute = () => new Date(app.clock.now().getTime() + 60_000).toISOString()

test('everybody lists the keys they made, the newest first, and admins list all', async () => {
  const acme = await app.tenant()
  for (const name of ['One', 'Two', 'Three']) await make(acme.member, { name })
  await make(acme.manager, { name: 'Theirs' })

  const [own, all] = [await acme.member.get('/api/api-keys'), await acme.admin.get('/api/api-keys')]
  const ofMember = await acme.admin.get(`/api/api-keys?user_id=${acme.member.userId}`)
  const curious = await acme.member.get(`/api/api-keys?user_id=${acme.manager.userId}`)
  const first = await acme.member.get('/api/api-keys?limit=2')
  const second = await acme.member.get(`/api/api-keys?limit=2&cursor=${first.body.next_cursor}`)

  assert.deepEqual(namesIn(own), ['Three', 'Two', 'One'])
  assert.deepEqual([own.body.total, own.headers['x-total-count']], [3, '3'])
  assert.deepEqual(namesIn(all), ['Theirs', 'Three', 'Two', 'One'])
  assert.deepEqual(namesIn(ofMember), ['Three', 'Two', 'One'])
  assert.deepEqual(namesIn(curious), [])
  assert.deepEqual([...namesIn(first), ...namesIn(second)], ['Three', 'Two', 'One'])
  assert.deepEqual(namesIn(await acme.viewer.get('/api/api-keys')), [])
})

test('keys are found by state and by app', async () => {
  const acme = await app.tenant()
  const { id } = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  await make(acme.member, { name: 'Active', connected_app_id: id })
  await make(acme.member, { name: 'Brief', expires_at: inOneMinute() })
  await acme.member.delete(urlOf(await make(acme.member, { name: 'Revoked', connected_app_id: id })))
  app.clock.advance(61)
  const list = async (query: string) => namesIn(await acme.admin.get(`/api/api-keys?${query}`))

  assert.deepEqual(await list('status=active'), ['Active'])
  assert.deepEqual(await list('status=expired'), ['Brief'])
  assert.deepEqual(await list('status=revoked'), ['Revoked'])
  assert.deepEqual(await list('status=expired,revoked'), ['Revoked', 'Brief'])
  assert.deepEqual(await list(`connected_app_id=${id}`), ['Revoked', 'Active'])
  assert.deepEqual(await list(`connected_app_id=${newId()}`), [])
  for (const query of ['status=dead', 'user_id=me', 'cursor=nonsense', 'limit=0', 'name=x'])
    assert.equal((await acme.admin.get(`/api/api-keys?${query}`)).status, 422, query)
})

test('identity-6-12 a key of another workspace is not there, and what is no scope is refused', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const theirs = await make(beta.member)
  const url = urlOf(theirs)

  const answers = [
    await acme.admin.get(url),
    await acme.admin.patch(url, { name: 'Mine' }),
    await acme.admin.delete(url),
    await acme.admin.post(`${url}/rotate`, {}),
    await acme.admin.get(urlOf({ id: newId() })),
  ]
  const own = await make(acme.member)
  const scopes = []
  for (const given of [['leads.fly'], [], ['crm.read', 'crm.read'], ['admin'], null, 'crm.read'])
    for (const answer of [
      await acme.member.post('/api/api-keys', { name: 'Key', scopes: given }),
      await acme.member.patch(urlOf(own), { scopes: given }),
    ])
      scopes.push(answer.status)

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.deepEqual(new Set(scopes), new Set([422]))
  assert.deepEqual(await beta.audit(), ['api_key.created'])
  assert.equal((await beta.member.get(url)).body.status, 'active')
})

test('a key of somebody else is there for admins only', async () => {
  const acme = await app.tenant()
  const key = await make(acme.manager)
  const url = urlOf(key)

  const strangers = [
    await acme.member.get(url),
    await acme.member.patch(url, { name: 'Mine' }),
    await acme.member.delete(url),
    await acme.member.post(`${url}/rotate`, {}),
  ]
  const [read, renamed] = [await acme.admin.get(url), await acme.admin.patch(url, { name: 'Looked at' })]
  const revoked = await acme.admin.delete(url)

  for (const { status, body } of strangers) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.deepEqual([read.status, renamed.status, revoked.status], [200, 200, 204])
  assert.partialDeepStrictEqual((await acme.manager.get(url)).body, {
    name: 'Looked at',
    status: 'revoked',
    revoke_reason: 'revoked_by_admin',
    created_by: { id: acme.manager.userId, name: acme.manager.name },
  })
})

test('a key is renamed, rescoped and moved to an app, and each change leaves its traces once', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const key = await make(acme.member)
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const foreign = (await beta.manager.post('/api/connected-apps', { name: 'Theirs' })).body
  const change = (changes: object) => acme.member.patch(urlOf(key), changes)

  const changed = await change({ name: 'Invoices', scopes: ['invoices.read'], connected_app_id: billing.id })
  const same = await change({ name: 'Invoices' })
  const freed = await change({ connected_app_id: null })
  const unknown = [await change({ connected_app_id: foreign.id }), await change({ connected_app_id: newId() })]
  const bad = []
  for (const changes of [{ name: '' }, { preset: null }, { expires_at: null }, { key_hash: 'x' }, { name: null }])
    bad.push((await change(changes)).status)

  assert.partialDeepStrictEqual(changed.body, {
    name: 'Invoices',
    effective_scopes: ['invoices.read'],
    connected_app: { id: billing.id, name: 'Billing' },
  })
  assert.deepEqual([same.body, freed.body.connected_app], [changed.body, null])
  for (const { status, body } of unknown) assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  assert.deepEqual(bad, [422, 422, 422, 422, 422])
  const updates = (await acme.events()).filter((type) => type === 'api_key.updated')
  assert.equal(updates.length, 2)
  assert.deepEqual((await acme.audit()).filter((action) => action === 'api_key.updated').length, 2)
})

test('revoking twice is revoking once, and there is no way back', async () => {
  const acme = await app.tenant()
  const key = await make(acme.member)
  const machine = acme.bearer(`ApiKey ${key.key}`)
  const brief = await make(acme.member, { expires_at: inOneMinute() })

  const answers = await Promise.all([1, 2, 3].map(() => acme.member.delete(urlOf(key))))
  const refused = [
    await acme.member.patch(urlOf(key), { name: 'Again' }),
    await acme.admin.post(`${urlOf(key)}/rotate`),
  ]
  app.clock.advance(61)
  const expired = await acme.member.patch(urlOf(brief), { name: 'Again' })

  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 204],
  )
  assert.deepEqual((await machine.get('/api/auth/me')).body.code, 'token_revoked')
  assert.deepEqual([refused[0]!.status, refused[0]!.body.code, refused[1]!.status], [409, 'conflict', 403])
  assert.deepEqual([expired.status, expired.body.code], [409, 'conflict'])
  assert.equal((await acme.events()).filter((type) => type === 'api_key.revoked').length, 1)
  assert.equal((await acme.audit()).filter((action) => action === 'api_key.revoked').length, 1)
})

test('a machine looks after no keys, not even its own', async () => {
  const acme = await app.tenant()
  const { key, ...own } = await make(acme.admin, { scopes: ['crm.read', 'crm.write', 'crm.delete'] })
  const machine = acme.bearer(`ApiKey ${key}`)

  const answers = [
    await machine.get('/api/api-keys'),
    await machine.get(urlOf(own)),
    await machine.patch(urlOf(own), { name: 'More' }),
    await machine.delete(urlOf(own)),
    await machine.post(`${urlOf(own)}/rotate`),
  ]

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'session_required'])
  assert.equal((await acme.anonymous.get('/api/api-keys')).status, 401)
})

test('where keys are left to admins, the others can neither rotate theirs nor let them do more', async () => {
  const acme = await app.tenant()
  const key = await make(acme.member)
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'security', '{"api_key_policy":"admins_only"}')`,
    [acme.id],
  )

  const widened = await acme.member.patch(urlOf(key), { scopes: ['crm.write'] })
  const rotated = await acme.member.post(`${urlOf(key)}/rotate`)
  const renamed = await acme.member.patch(urlOf(key), { name: 'Old friend' })

  for (const { status, body } of [widened, rotated]) assert.deepEqual([status, body.code], [403, 'role_required'])
  assert.deepEqual([renamed.status, (await acme.member.delete(urlOf(key))).status], [200, 204])
})
