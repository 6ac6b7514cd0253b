import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const app = await startTestApp({ TRUSTED_PROXIES: '10.0.0.0/8' })

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const apps = '/api/connected-apps'
const connect = async (acme: Tenant, name: string, more: object = {}) =>
  (await acme.manager.post(apps, { name, ...more })).body
const machineOf = async (acme: Tenant, connected_app_id: string) => {
  const fields = { name: 'Machine', scopes: ['crm.read'], connected_app_id }
  const { id, key } = (await acme.member.post('/api/api-keys', fields)).body
  return { id: id as string, ...acme.bearer(`ApiKey ${key}`) }
}
const namesIn = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name)
const me = '/api/auth/me'

test('an app is created, updated and returned with its key count', async () => {
  const acme = await app.tenant()
  const about = { name: 'Billing', description: 'Sends invoices', vendor_url: 'https://billing.example/' }

  const made = await acme.admin.post(apps, { ...about, ip_allowlist: ['203.0.113.9', '2001:DB8::/32'] })
  const url = `${apps}/${made.body.id}`
  await machineOf(acme, made.body.id)
  const changed = await acme.manager.patch(url, { description: null, ip_allowlist: [] }, { 'if-match': '"1"' })
  const same = await acme.manager.patch(url, { ip_allowlist: [] })
  const late = await acme.manager.patch(url, { name: 'Late' }, { 'if-match': '"1"' })

  assert.deepEqual([made.status, made.headers.location, made.headers.etag], [201, url, '"1"'])
  const { id, created_at, updated_at, ...rest } = made.body
  assert.deepEqual(rest, {
    ...about,
    ip_allowlist: ['203.0.113.9/32', '2001:db8::/32'],
    status: 'active',
    live_key_count: 0,
    created_by: { id: acme.admin.userId, name: acme.admin.name },
    version: 1,
  })
  assert.partialDeepStrictEqual(changed.body, { description: null, ip_allowlist: [], live_key_count: 1, version: 2 })
  assert.deepEqual([same.status, same.body], [200, changed.body])
  assert.deepEqual([late.status, late.body.code], [412, 'version_mismatch'])
  assert.deepEqual((await acme.manager.get(url)).body, changed.body)
  assert.deepEqual(await acme.events(), ['connected_app.created', 'api_key.created', 'connected_app.updated'])
  assert.deepEqual(await acme.audit(), ['connected_app.created', 'api_key.created', 'connected_app.updated'])
})

test('app names are unique case-insensitively, even with concurrent creates', async () => {
  const acme = await app.tenant()
  const [billing, mailing] = [await connect(acme, 'Billing'), await connect(acme, 'Mailing')]

  const again = await acme.manager.post(apps, { name: 'BILLING' })
  const renamed = await acme.manager.patch(`${apps}/${mailing.id}`, { name: 'billing' })
  const itself = await acme.manager.patch(`${apps}/${billing.id}`, { name: 'BILLING' })
  const both = await Promise.all([1, 2].map(() => acme.manager.post(apps, { name: 'Twins' })))

  for (const { status, body } of [again, renamed])
    assert.deepEqual([status, body.code, body.existing_id], [409, 'already_exists', billing.id])
  assert.deepEqual([itself.status, itself.body.name], [200, 'BILLING'])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
})

test('keys of a disabled app work again after it is enabled', async () => {
  const acme = await app.tenant()
  const { id } = await connect(acme, 'Billing')
  const machine = await machineOf(acme, id)
  const become = (status: string) => acme.manager.patch(`${apps}/${id}`, { status })

  const before = await machine.get(me)
  await become('disabled')
  const [during, listed] = [await machine.get(me), await acme.manager.get(`${apps}?status=disabled`)]
  await become('active')
  const afterwards = await machine.get(me)

  assert.deepEqual([before.status, afterwards.status], [200, 200])
  assert.deepEqual([during.status, during.body.code], [403, 'connected_app_disabled'])
  assert.deepEqual(namesIn(listed), ['Billing'])
  assert.deepEqual(namesIn(await acme.manager.get(`${apps}?status=disabled`)), [])
})

test('a new allowlist applies from the next request', async () => {
  const acme = await app.tenant()
  const { id } = await connect(acme, 'Billing')
  const machine = (await machineOf(acme, id)).with({ remoteAddress: '203.0.113.5' })
  const allow = (ip_allowlist: string[]) => acme.manager.patch(`${apps}/${id}`, { ip_allowlist })

  const statuses = []
  for (const list of [['198.51.100.0/24'], ['198.51.100.0/24', '203.0.113.0/28'], []]) {
    await allow(list)
    statuses.push((await machine.get(me)).status)
  }

  assert.deepEqual(statuses, [403, 200, 200])
})

test('deleting an app revokes its keys', async () => {
  const acme = await app.tenant()
  const { id } = await connect(acme, 'Billing')
  const machines = [await machineOf(acme, id), await machineOf(acme, id)]
  await acme.member.delete(`/api/api-keys/${machines[1]!.id}`)
  const outsider = (await acme.member.post('/api/api-keys', { name: 'Free', scopes: ['crm.read'] })).body

  const removed = await acme.manager.delete(`${apps}/${id}`)
  const again = await acme.manager.delete(`${apps}/${id}`)
  const rejected = await machines[0]!.get(me)
  const key = await acme.member.get(`/api/api-keys/${machines[0]!.id}`)
  const namesake = await acme.manager.post(apps, { name: 'Billing' })

  assert.deepEqual([removed.status, again.status, namesake.status], [204, 404, 201])
  assert.deepEqual([rejected.status, rejected.body.code], [401, 'token_revoked'])
  assert.partialDeepStrictEqual(key.body, {
    status: 'revoked',
    revoke_reason: 'connected_app_deleted',
    connected_app: null,
  })
  assert.equal((await acme.bearer(`ApiKey ${outsider.key}`).get(me)).status, 200)
  const events = (await acme.events()).filter((type) => /revoked|deleted/.test(type))
  assert.deepEqual(events, ['api_key.revoked', 'api_key.revoked', 'connected_app.deleted'])
})

test('connected apps require a user session of an admin or manager', async () => {
  const acme = await app.tenant()
  const { id } = await connect(acme, 'Billing')
  const { key } = (
    await acme.admin.post('/api/api-keys', { name: 'All', scopes: ['crm.read', 'crm.write', 'crm.delete'] })
  ).body
  const calls = (person: Pick<Tenant['member'], 'get' | 'post' | 'patch' | 'delete'>) =>
    Promise.all([
      person.get(apps),
      person.get(`${apps}/${id}`),
      person.post(apps, { name: 'New' }),
      person.patch(`${apps}/${id}`, { name: 'New' }),
      person.delete(`${apps}/${id}`),
    ])
  const codes = (responses: Awaited<ReturnType<typeof calls>>) => responses.map(({ body }) => body.code)

  assert.deepEqual(codes(await calls(acme.bearer(`ApiKey ${key}`))), Array(5).fill('session_required'))
  for (const person of [acme.member, acme.viewer])
    assert.deepEqual(codes(await calls(person)), [
      'role_required',
      'role_required',
      'scope_required',
      'scope_required',
      'scope_required',
    ])
  assert.deepEqual(codes(await calls(acme.anonymous)), Array(5).fill('authentication_required'))
})

test('an app of another workspace is not found', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const theirs = await connect(beta, 'Billing')
  const url = `${apps}/${theirs.id}`

  const responses = [
    await acme.admin.get(url),
    await acme.admin.patch(url, { status: 'disabled' }),
    await acme.admin.delete(url),
    await acme.admin.get(`${apps}/${newId()}`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.deepEqual(namesIn(await acme.admin.get(apps)), [])
  assert.equal((await acme.manager.post(apps, { name: 'Billing' })).status, 201, 'names are per workspace')
  assert.deepEqual((await beta.manager.get(url)).body, theirs)
})

test('apps are listed by name in pages', async () => {
  const acme = await app.tenant()
  for (const name of ['mailing', 'Billing', 'archive']) await connect(acme, name)

  const first = await acme.manager.get(`${apps}?limit=2`)
  const second = await acme.manager.get(`${apps}?limit=2&cursor=${first.body.next_cursor}`)

  assert.deepEqual([namesIn(first), namesIn(second)], [['archive', 'Billing'], ['mailing']])
  assert.deepEqual([first.body.total, second.body.next_cursor], [3, null])
})

test('invalid input is rejected with all errors of the allowlist', async () => {
  const acme = await app.tenant()
  const { id } = await connect(acme, 'Billing')
  const many = Array.from({ length: 51 }, (_, n) => `10.0.${n}.0/24`)

  const invalidInputs = [
    {},
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'A', status: 'disabled' },
    { name: 'A', id: newId() },
    ...['billing.example', 'javascript:alert(1)', 'ftp://x.example'].map((vendor_url) => ({ name: 'A', vendor_url })),
    { name: 'A', description: 'x'.repeat(501) },
    { name: 'A', ip_allowlist: many },
    { name: 'A', ip_allowlist: '10.0.0.0/8' },
  ]
  for (const body of invalidInputs)
    assert.equal((await acme.manager.post(apps, body)).status, 422, JSON.stringify(body))
  for (const body of [{ status: 'gone' }, { name: null }, { ip_allowlist: null }, { created_by: newId() }])
    assert.equal((await acme.manager.patch(`${apps}/${id}`, body)).status, 422, JSON.stringify(body))

  const list = await acme.manager.patch(`${apps}/${id}`, { ip_allowlist: ['10.1.2.3/8', '10.0.0.0/8', '0.0.0.0/0'] })
  assert.deepEqual(
    list.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/ip_allowlist/0', 'host_bits'],
      ['/ip_allowlist/2', 'everybody'],
    ],
  )
})

test('changing the allowlist and enabling an app requires a fresh login, disabling it does not', async () => {
  const acme = await app.tenant()
  const billing = await connect(acme, 'Billing', { ip_allowlist: ['203.0.113.9'] })
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '16 minutes' where user_id = $1`, [
    acme.manager.userId,
  ])
  const change = async (changes: object) => {
    const { status, body } = await acme.manager.patch(`${apps}/${billing.id}`, changes)
    return [status, body.code]
  }

  assert.deepEqual(await change({ ip_allowlist: [] }), [403, 'reauthentication_required'])
  assert.deepEqual(await change({ name: 'Invoicing', ip_allowlist: ['203.0.113.9'], status: 'disabled' }), [
    200,
    undefined,
  ])
  assert.deepEqual(await change({ status: 'active' }), [403, 'reauthentication_required'])
})
