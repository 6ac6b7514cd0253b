import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const createKey = async (person: Tenant['member'], fields: object = {}) =>
  (await person.post('/api/api-keys', { name: 'Nightly export', scopes: ['crm.read'], ...fields })).body
const namesIn = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name)
const urlOf = ({ id }: { id: string }) => `/api/api-keys/${id}`
const inOneMinute = () => new Date(app.clock.now().getTime() + 60_000).toISOString()

test('users list their own keys, newest first, and admins list all keys', async () => {
  const acme = await app.tenant()
  for (const name of ['One', 'Two', 'Three']) await createKey(acme.member, { name })
  await createKey(acme.manager, { name: 'Theirs' })

  const [own, all] = [await acme.member.get('/api/api-keys'), await acme.admin.get('/api/api-keys')]
  const ofMember = await acme.admin.get(`/api/api-keys?user_id=${acme.member.userId}`)
  const filteredByOther = await acme.member.get(`/api/api-keys?user_id=${acme.manager.userId}`)
  const first = await acme.member.get('/api/api-keys?limit=2')
  const second = await acme.member.get(`/api/api-keys?limit=2&cursor=${first.body.next_cursor}`)

  assert.deepEqual(namesIn(own), ['Three', 'Two', 'One'])
  assert.deepEqual([own.body.total, own.headers['x-total-count']], [3, '3'])
  assert.deepEqual(namesIn(all), ['Theirs', 'Three', 'Two', 'One'])
  assert.deepEqual(namesIn(ofMember), ['Three', 'Two', 'One'])
  assert.deepEqual(namesIn(filteredByOther), [])
  assert.deepEqual([...namesIn(first), ...namesIn(second)], ['Three', 'Two', 'One'])
  assert.deepEqual(namesIn(await acme.viewer.get('/api/api-keys')), [])
})

test('keys can be filtered by status and app', async () => {
  const acme = await app.tenant()
  const { id } = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  await createKey(acme.member, { name: 'Active', connected_app_id: id })
  await createKey(acme.member, { name: 'Brief', expires_at: inOneMinute() })
  await acme.member.delete(urlOf(await createKey(acme.member, { name: 'Revoked', connected_app_id: id })))
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

test('identity-6-12 keys of another workspace are not found and unknown scopes are rejected', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const theirs = await createKey(beta.member)
  const url = urlOf(theirs)

  const responses = [
    await acme.admin.get(url),
    await acme.admin.patch(url, { name: 'Mine' }),
    await acme.admin.delete(url),
    await acme.admin.post(`${url}/rotate`, {}),
    await acme.admin.get(urlOf({ id: newId() })),
  ]
  const own = await createKey(acme.member)
  const scopes = []
  for (const passwordText of [['leads.fly'], [], ['crm.read', 'crm.read'], ['admin'], null, 'crm.read'])
    for (const response of [
      await acme.member.post('/api/api-keys', { name: 'Key', scopes: passwordText }),
      await acme.member.patch(urlOf(own), { scopes: passwordText }),
    ])
      scopes.push(response.status)

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.deepEqual(new Set(scopes), new Set([422]))
  assert.deepEqual(await beta.audit(), ['api_key.created'])
  assert.equal((await beta.member.get(url)).body.status, 'active')
})

test('a key of another user is visible to admins only', async () => {
  const acme = await app.tenant()
  const key = await createKey(acme.manager)
  const url = urlOf(key)

  const otherUsers = [
    await acme.member.get(url),
    await acme.member.patch(url, { name: 'Mine' }),
    await acme.member.delete(url),
    await acme.member.post(`${url}/rotate`, {}),
  ]
  const [read, renamed] = [await acme.admin.get(url), await acme.admin.patch(url, { name: 'Looked at' })]
  const revoked = await acme.admin.delete(url)

  for (const { status, body } of otherUsers) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.deepEqual([read.status, renamed.status, revoked.status], [200, 200, 204])
  assert.partialDeepStrictEqual((await acme.manager.get(url)).body, {
    name: 'Looked at',
    status: 'revoked',
    revoke_reason: 'revoked_by_admin',
    created_by: { id: acme.manager.userId, name: acme.manager.name },
  })
})

test('changes of name, scopes and app are audited and announced once', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const key = await createKey(acme.member)
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const foreign = (await beta.manager.post('/api/connected-apps', { name: 'Theirs' })).body
  const change = (changes: object) => acme.member.patch(urlOf(key), changes)

  const changed = await change({ name: 'Invoices', scopes: ['leads.read'], connected_app_id: billing.id })
  const same = await change({ name: 'Invoices' })
  const freed = await change({ connected_app_id: null })
  const unknown = [await change({ connected_app_id: foreign.id }), await change({ connected_app_id: newId() })]
  const rejectedCodes = []
  for (const changes of [{ name: '' }, { preset: null }, { expires_at: null }, { key_hash: 'x' }, { name: null }])
    rejectedCodes.push((await change(changes)).status)

  assert.partialDeepStrictEqual(changed.body, {
    name: 'Invoices',
    effective_scopes: ['leads.read'],
    connected_app: { id: billing.id, name: 'Billing' },
  })
  assert.deepEqual([same.body, freed.body.connected_app], [changed.body, null])
  for (const { status, body } of unknown) assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  assert.deepEqual(rejectedCodes, [422, 422, 422, 422, 422])
  const updates = (await acme.events()).filter((type) => type === 'api_key.updated')
  assert.equal(updates.length, 2)
  assert.deepEqual((await acme.audit()).filter((action) => action === 'api_key.updated').length, 2)
})

test('revoking is idempotent and final', async () => {
  const acme = await app.tenant()
  const key = await createKey(acme.member)
  const machine = acme.bearer(`ApiKey ${key.key}`)
  const brief = await createKey(acme.member, { expires_at: inOneMinute() })

  const responses = await Promise.all([1, 2, 3].map(() => acme.member.delete(urlOf(key))))
  const rejected = [
    await acme.member.patch(urlOf(key), { name: 'Again' }),
    await acme.admin.post(`${urlOf(key)}/rotate`),
  ]
  app.clock.advance(61)
  const expired = await acme.member.patch(urlOf(brief), { name: 'Again' })

  assert.deepEqual(
    responses.map(({ status }) => status),
    [204, 204, 204],
  )
  assert.deepEqual((await machine.get('/api/auth/me')).body.code, 'token_revoked')
  assert.deepEqual([rejected[0]!.status, rejected[0]!.body.code, rejected[1]!.status], [409, 'conflict', 403])
  assert.deepEqual([expired.status, expired.body.code], [409, 'conflict'])
  assert.equal((await acme.events()).filter((type) => type === 'api_key.revoked').length, 1)
  assert.equal((await acme.audit()).filter((action) => action === 'api_key.revoked').length, 1)
})

test('an API key cannot manage keys, not even itself', async () => {
  const acme = await app.tenant()
  const { key, ...own } = await createKey(acme.admin, { scopes: ['crm.read', 'crm.write', 'crm.delete'] })
  const machine = acme.bearer(`ApiKey ${key}`)

  const responses = [
    await machine.get('/api/api-keys'),
    await machine.get(urlOf(own)),
    await machine.patch(urlOf(own), { name: 'More' }),
    await machine.delete(urlOf(own)),
    await machine.post(`${urlOf(own)}/rotate`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [403, 'session_required'])
  assert.equal((await acme.anonymous.get('/api/api-keys')).status, 401)
})

test('with admin-only keys other users cannot rotate their keys or change the scopes', async () => {
  const acme = await app.tenant()
  const key = await createKey(acme.member)
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

test('creating, updating and rotating a key requires a fresh login, revoking it does not', async () => {
  const acme = await app.tenant()
  const key = await createKey(acme.member)
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '16 minutes' where user_id = $1`, [
    acme.member.userId,
  ])

  const rejected = [
    await acme.member.post('/api/api-keys', { name: 'Backdoor', scopes: ['crm.read'] }),
    await acme.member.patch(urlOf(key), { scopes: ['crm.write'] }),
    await acme.member.post(`${urlOf(key)}/rotate`, {}),
  ]
  const revoked = await acme.member.delete(urlOf(key))

  for (const { status, body } of rejected) assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
  assert.equal(revoked.status, 204)
})
