import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'

const app = await startTestApp()
const acme = await app.tenant()
const other = await app.tenant()
const rooms = '/api/enablement/rooms/'
const { member: seller, manager, viewer } = acme
const { body: deal } = await seller.post('/api/opportunities/', {
  name: 'Globex rollout',
  close_on: '2099-01-31',
  amount: { amount: '128000.00', currency: 'EUR' },
  account_id: (await seller.post('/api/accounts/', { name: 'Globex Industries' })).body.id,
})

const createRoom = async (fields: object = {}, user = seller) =>
  (await user.post(rooms, { name: 'Deal', ...fields })).body

test('a room is created as a draft of its deal, with the account of the deal and a link', async () => {
  const contact = { first_name: 'Ann', last_name: 'Lee', account_id: deal.account_id }
  const { body: ann } = await seller.post('/api/contacts/', contact)
  const created = await seller.post(rooms, {
    name: 'Globex: evaluation',
    opportunity_id: deal.id,
    primary_contact_id: ann.id,
    sections: [{ title: 'Start' }, { title: 'Prices', description: 'Valid this year' }],
    settings: { alerts: { hot: false } },
    share: { access: 'email', blocked: ['Spy@Evil.example', 'spy@evil.example'] },
  })
  const read = await seller.get(`${rooms}${created.body.id}`)

  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `${rooms}${created.body.id}`)
  assert.deepEqual(read.body, created.body)
  const { account, opportunity, owner, status, engagement_score, engagement_band, settings, share } = created.body
  assert.deepEqual(account, { id: deal.account_id, name: 'Globex Industries' })
  assert.deepEqual([opportunity.name, owner.id, status], ['Globex rollout', seller.userId, 'draft'])
  assert.deepEqual([opportunity.amount, opportunity.close_on], [deal.amount, deal.close_on])
  assert.deepEqual(created.body.primary_contact, { id: ann.id, name: 'Ann Lee' })
  assert.deepEqual([engagement_score, engagement_band], [null, 'cold'])
  assert.deepEqual([settings.alerts.hot, settings.alerts.plan, settings.silent_after_days], [false, true, 7])
  assert.match(share.url, new RegExp(`^https?://${acme.host}(:\\d+)?/r/[\\w-]{43}$`))
  assert.deepEqual([share.access, share.blocked, share.has_password], ['email', ['spy@evil.example'], false])
  assert.deepEqual(
    created.body.sections.map(({ title, position }: { title: string; position: number }) => [title, position]),
    [
      ['Start', 0],
      ['Prices', 1],
    ],
  )
})

test('references must exist in the workspace and agree with each other', async () => {
  const { body: account } = await seller.post('/api/accounts/', { name: 'Initech' })
  const { body: foreign } = await other.member.post('/api/accounts/', { name: 'Umbrella' })
  const codesOf = async (fields: object) => {
    const { status, body } = await seller.post(rooms, { name: 'Deal', ...fields })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }

  const mismatch = await codesOf({ opportunity_id: deal.id, account_id: account.id })
  const unknown = await codesOf({ account_id: foreign.id })
  const otherOwner = await seller.post(rooms, { name: 'Deal', owner_id: manager.userId })
  const byManager = await manager.post(rooms, { name: 'Deal', owner_id: seller.userId })

  assert.deepEqual(mismatch, [422, '/account_id', 'account_mismatch'])
  assert.deepEqual(unknown, [422, '/account_id', 'unknown_reference'])
  assert.deepEqual([otherOwner.status, otherOwner.body.code], [403, 'role_required'])
  assert.deepEqual([byManager.status, byManager.body.owner_id], [201, seller.userId])
})

test('another workspace does not see the room; viewers read it without its links', async () => {
  const room = await createRoom()
  const url = `${rooms}${room.id}`

  const foreign = [
    await other.admin.get(url),
    await other.admin.patch(url, { name: 'x' }),
    await other.admin.delete(url),
  ]
  const read = await viewer.get(url)

  assert.deepEqual(
    foreign.map(({ status }) => status),
    [404, 404, 404],
  )
  assert.deepEqual([read.status, read.body.share, read.body.links], [200, null, []])
  assert.equal((await viewer.post(rooms, { name: 'x' })).status, 403)
  assert.equal((await seller.post(rooms, {})).status, 422)
  assert.equal((await seller.post(rooms, { name: 'x', share: { password: 'short' } })).status, 422)
})

test('share tokens are in no stored response, and a key that only reads rooms does not see them', async () => {
  const once = { 'idempotency-key': 'once' }
  const created = await seller.post(rooms, { name: 'Globex' }, once)
  const replayed = await seller.post(rooms, { name: 'Globex' }, once)
  const url = `${rooms}${created.body.id}`
  const link = await seller.post(`${url}/links`, {}, once)
  const replayedLink = await seller.post(`${url}/links`, {}, once)
  const tokens = [created.body.share.share_token, link.body.share_token]
  const createKey = async (scopes: string[]) => {
    const { body } = await seller.post('/api/api-keys', { name: scopes.join(), scopes })
    return acme.bearer(`Bearer ${body.key}`)
  }
  const [reading, writing] = [await createKey(['rooms.read']), await createKey(['rooms.read', 'rooms.write'])]
  const { body: read } = await reading.get(url)
  const { body: written } = await writing.get(url)

  assert.deepEqual([replayed.body.id, replayed.body.share.share_token], [created.body.id, null])
  assert.deepEqual([replayed.body.links[0].url, replayed.body.links[0].share_token], [null, null])
  assert.deepEqual([replayedLink.body.id, replayedLink.body.url], [link.body.id, null])
  const { rows: stored } = await acme.sql('select body from platform.idempotency_keys where tenant_id = $1', [acme.id])
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(tokens.join('|')))
  assert.deepEqual([read.share, read.links, written.links.length], [null, [], 2])
})

test('an idempotency key of a signed-in visitor is ignored', async () => {
  const room = await createRoom({ room_type: 'community' })
  await seller.patch(`${rooms}${room.id}`, { status: 'active' })
  const url = `${rooms}public/${room.share.share_token}/visit`

  const visits = [
    await seller.post(url, {}, { 'idempotency-key': 'k' }),
    await seller.post(url, {}, { 'idempotency-key': 'k' }),
  ]

  assert.deepEqual(
    visits.map(({ status }) => status),
    [201, 201],
  )
  assert.notEqual(visits[0]!.body.visit_id, visits[1]!.body.visit_id)
})

test('sections are replaced as a whole, and every change counts a version', async () => {
  const room = await createRoom({ sections: [{ title: 'A' }, { title: 'B' }] })
  const url = `${rooms}${room.id}`
  const [a, b] = room.sections

  const changed = await seller.patch(url, { sections: [{ id: b.id, title: 'B2' }, { title: 'C' }] })
  const unknown = await seller.patch(url, { sections: [{ id: a.id, title: 'A' }] })
  const repeated = await seller.patch(url, {
    sections: [
      { id: b.id, title: 'B' },
      { id: b.id, title: 'B' },
    ],
  })
  const stale = await seller.patch(url, { name: 'New' }, { 'if-match': `"${room.version}"` })

  assert.deepEqual(
    changed.body.sections.map(({ id, title }: { id: string; title: string }) => [id === b.id, title]),
    [
      [true, 'B2'],
      [false, 'C'],
    ],
  )
  assert.equal(changed.body.version, room.version + 1)
  assert.deepEqual([unknown.status, repeated.status, stale.status], [422, 422, 412])
})

test('collaborators are chosen by the owner; editors change the room, other users do not', async () => {
  const [editor, reader] = [await acme.person('member'), await acme.person('member')]
  const room = await createRoom()
  const url = `${rooms}${room.id}`
  await seller.patch(url, {
    collaborators: [
      { user_id: editor.userId, role: 'editor' },
      { user_id: reader.userId, role: 'viewer' },
    ],
  })

  const byEditor = await editor.patch(url, { welcome: 'Hello' })
  const byReader = await reader.patch(url, { welcome: 'Hello' })
  const invitedByEditor = await editor.patch(url, { collaborators: [] })
  const deletedByEditor = await editor.delete(url)

  assert.deepEqual([byEditor.status, byEditor.body.share.id], [200, room.share.id])
  assert.equal((await reader.get(url)).body.share.id, room.share.id)
  assert.deepEqual([byReader.status, invitedByEditor.status, deletedByEditor.status], [403, 403, 403])
})

test('rooms are listed by status, account, owner and words of their name and account, page by page', async () => {
  const tenant = await app.tenant()
  const { member } = tenant
  const { body: account } = await member.post('/api/accounts/', { name: 'Vandelay' })
  const ids: string[] = []
  for (const name of ['Alpha kickoff', 'Beta renewal', 'Gamma renewal'])
    ids.push((await member.post(rooms, { name, ...(name[0] === 'B' && { account_id: account.id }) })).body.id)
  await member.patch(`${rooms}${ids[0]}`, { status: 'archived' })
  const idsOf = async (query: string) =>
    (await member.get(`${rooms}?${query}`)).body.items.map(({ id }: { id: string }) => ids.indexOf(id))

  const firstPage = await member.get(`${rooms}?limit=1`)
  const secondPage = await member.get(`${rooms}?limit=1&cursor=${firstPage.body.next_cursor}`)

  assert.deepEqual(await idsOf(''), [2, 1])
  assert.deepEqual(await idsOf('status=archived,draft&sort=name'), [0, 1, 2])
  assert.deepEqual(await idsOf('search=renewal%20vand'), [1])
  assert.deepEqual(await idsOf(`account_id=${account.id}`), [1])
  assert.deepEqual(await idsOf('sort=-engagement_score&mine=true'), [2, 1])
  assert.deepEqual(await idsOf('band=hot'), [])
  assert.deepEqual(
    [firstPage, secondPage].map(({ body }) => ids.indexOf(body.items[0].id)),
    [2, 1],
  )
  assert.equal((await tenant.manager.get(`${rooms}?mine=true`)).body.total, 0)
})

test('the search finds a room by the new name of its account', async () => {
  const { body: account } = await seller.post('/api/accounts/', { name: 'Hooli' })
  const room = await createRoom({ account_id: account.id })
  await app.startTestWorker()

  await seller.patch(`/api/accounts/${account.id}`, { name: 'Pied Piper' })

  await waitUntil(async () => (await seller.get(`${rooms}?search=piper`)).body.items[0]?.id === room.id)
  assert.equal((await seller.get(`${rooms}?search=hooli`)).body.total, 0)
})

test('a room that was never visited is deleted for good', async () => {
  const room = await createRoom()

  const deleted = await seller.delete(`${rooms}${room.id}`)

  assert.equal(deleted.status, 204)
  assert.equal((await seller.get(`${rooms}${room.id}`)).status, 404)
  const { rows } = await acme.sql('select 1 from enablement.rooms where id = $1', [room.id])
  assert.equal(rows.length, 0)
  assert.ok((await acme.events()).includes('room.deleted'))
  assert.ok((await acme.audit()).includes('room.deleted'))
})

test('the default link is replaced, revoked and created again', async () => {
  const room = await createRoom({ share: { access: 'allow_list', allowed: ['@acme.example'], password: 'secret-1' } })
  const url = `${rooms}${room.id}`

  const rotated = await seller.patch(url, { share: { rotate: true, password: null } })
  const revoked = await seller.patch(url, { share: { revoke: true } })
  const changedWithout = await seller.patch(url, { share: { access: 'anyone' } })
  const again = await seller.patch(url, { share: { rotate: true } })
  const invalid = await seller.patch(url, { share: { access: 'allow_list' } })

  assert.notEqual(rotated.body.share.share_token, room.share.share_token)
  assert.deepEqual(
    [rotated.body.share.access, rotated.body.share.allowed, rotated.body.share.has_password],
    ['allow_list', ['@acme.example'], false],
  )
  assert.deepEqual([revoked.body.share, revoked.body.links.length], [null, 2])
  assert.equal(changedWithout.status, 409)
  assert.deepEqual([again.status, again.body.share.access], [200, 'anyone'])
  assert.deepEqual([invalid.status, invalid.body.errors[0].path], [422, '/share/allowed'])
  const { rows } = await acme.sql(`select changes::text from platform.audit_log where resource_id = $1`, [room.id])
  assert.ok(rows.every(({ changes }) => !changes?.includes('argon2')))
})

test('links have access rules of their own and are revoked for good', async () => {
  const room = await createRoom()
  const { body: contact } = await seller.post('/api/contacts/', { email: 'ann@acme.example', last_name: 'Ann' })
  const url = `${rooms}${room.id}/links`

  const link = await seller.post(url, { label: 'Ann', recipient_contact_id: contact.id, access: 'email' })
  const expired = await seller.post(url, { expires_at: '2020-01-01T00:00:00Z' })
  const revoked = await seller.patch(`${url}/${link.body.id}`, { revoked: true })
  const changedAfter = await seller.patch(`${url}/${link.body.id}`, { label: 'x' })
  const foreign = await other.admin.patch(`${url}/${link.body.id}`, { label: 'x' })

  assert.deepEqual([link.status, link.body.recipient_email, link.body.is_default], [201, 'ann@acme.example', false])
  assert.deepEqual([expired.status, expired.body.errors[0].path], [422, '/expires_at'])
  assert.notEqual(revoked.body.revoked_at, null)
  assert.deepEqual([changedAfter.status, foreign.status], [409, 404])
})
