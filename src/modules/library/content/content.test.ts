import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createItem, publishItem } from './content.fixture.ts'

const { tenant, clock } = await startTestApp()
const url = '/api/enablement/content/'

test('a content item is created as a draft, published by a manager and listed', async () => {
  const acme = await tenant()

  const created = await acme.member.post(url, {
    title: 'Pricing guide',
    type: 'document',
    body: '# Prices',
    category: 'pricing',
    tags: ['price'],
  })
  const draft = await acme.member.get(`${url}${created.body.id}`)
  const published = await publishItem(acme, created.body.id)
  const listed = await acme.viewer.get(url)

  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `${url}${created.body.id}`)
  assert.partialDeepStrictEqual(created.body, {
    status: 'draft',
    visibility: 'internal',
    owner: { id: acme.member.userId, name: acme.member.name },
    file: null,
    freshness_score: null,
    is_stale: false,
    stats: { views_28d: 0, unique_viewers: 0, heat: 0 },
    version: 1,
  })
  assert.deepEqual([draft.headers.etag, draft.body.view_id], ['"1"', null])
  assert.partialDeepStrictEqual(published, { status: 'published', freshness_score: 100, version: 2 })
  assert.deepEqual([listed.body.total, listed.body.items[0].id], [1, created.body.id])
  assert.deepEqual(await acme.events(), ['content.created', 'content.published'])
  assert.deepEqual(await acme.audit(), ['content.created', 'content.updated'])
})

test('enablement-1-8 members cannot publish, see drafts of colleagues only as managers, and viewers cannot write', async () => {
  const acme = await tenant()
  const own = await createItem(acme.member)
  const colleague = await acme.person('member')
  const foreign = await createItem(colleague)

  const publishing = await acme.member.patch(`${url}${own.id}`, { status: 'published' })
  const editing = await acme.member.patch(`${url}${foreign.id}`, { title: 'Mine' })
  const reading = await acme.member.get(`${url}${foreign.id}`)
  const writing = await acme.viewer.post(url, { title: 'Mine', type: 'link' })
  await publishItem(acme, foreign.id)
  const editingPublished = await acme.member.patch(`${url}${foreign.id}`, { title: 'Mine' })

  assert.deepEqual([publishing.status, publishing.body.code], [403, 'role_required'])
  assert.deepEqual([editing.status, reading.status], [404, 404])
  assert.deepEqual([writing.status, writing.body.code], [403, 'scope_required'])
  assert.deepEqual([editingPublished.status, editingPublished.body.code], [403, 'role_required'])
  assert.equal((await acme.manager.get(`${url}${own.id}`)).status, 200)
})

test('members publish their own content if the settings of the workspace allow it', async () => {
  const acme = await tenant()
  const own = await createItem(acme.member)
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc, version)
     values ($1, 'enablement', '{"members_may_publish": true}', 2)`,
    [acme.id],
  )

  const published = await acme.member.patch(`${url}${own.id}`, { status: 'published' })
  const withdrawn = await acme.member.patch(`${url}${own.id}`, { status: 'draft' })

  assert.deepEqual([published.status, withdrawn.status], [200, 403])
})

test('an item can be published only with what its type needs', async () => {
  const acme = await tenant()
  const publish = async (fields: object) => {
    const { body } = await acme.manager.post(url, { title: 'A', ...fields })
    const { status, body: answer } = await acme.manager.patch(`${url}${body.id}`, { status: 'published' })
    return [status, answer.code]
  }
  const refused = [409, 'not_publishable']

  assert.deepEqual(await publish({ type: 'document' }), refused)
  assert.deepEqual(await publish({ type: 'link', body: 'Text' }), refused)
  assert.deepEqual(await publish({ type: 'slide_deck', url: 'https://example.com' }), refused)
  assert.deepEqual(await publish({ type: 'image', body: 'Text' }), refused)
  assert.deepEqual(await publish({ type: 'video', body: 'Text' }), refused)
  assert.deepEqual(await publish({ type: 'video', url: 'https://example.com/v' }), [200, undefined])
  assert.deepEqual(await publish({ type: 'link', url: 'https://example.com' }), [200, undefined])
})

test('a published item must stay publishable', async () => {
  const acme = await tenant()
  const item = await createItem(acme.manager, { type: 'link', url: 'https://example.com', body: null })
  await publishItem(acme, item.id)

  const cleared = await acme.manager.patch(`${url}${item.id}`, { url: null })
  const replaced = await acme.manager.patch(`${url}${item.id}`, { url: null, type: 'document', body: 'Text' })

  assert.deepEqual([cleared.status, cleared.body.code], [409, 'not_publishable'])
  assert.deepEqual([replaced.status, replaced.body.url], [200, null])
})

test('enablement-1-9 an archived item names its published replacement, never in a cycle, and becomes a draft first', async () => {
  const acme = await tenant()
  const [a, b] = [await createItem(acme.manager), await createItem(acme.manager)]
  const archive = (id: string, superseded_by_id?: string) =>
    acme.manager.patch(`${url}${id}`, { status: 'archived', superseded_by_id })

  const unpublished = await archive(a.id, b.id)
  await publishItem(acme, a.id)
  await publishItem(acme, b.id)
  const archived = await archive(a.id, b.id)
  const cycle = await archive(b.id, a.id)
  const itself = await archive(b.id, b.id)
  const unknown = await archive(b.id, newId())
  const republished = await acme.manager.patch(`${url}${a.id}`, { status: 'published' })
  const restored = await acme.manager.patch(`${url}${a.id}`, { status: 'draft' })

  assert.equal(unpublished.body.errors[0].code, 'not_published')
  assert.partialDeepStrictEqual(archived.body, {
    status: 'archived',
    archive_reason: 'superseded',
    superseded_by: { id: b.id, title: b.title },
  })
  for (const { status, body } of [cycle, itself]) assert.deepEqual([status, body.errors[0].code], [422, 'cycle'])
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference'])
  assert.deepEqual([republished.status, republished.body.code], [409, 'invalid_transition'])
  assert.deepEqual(republished.body.allowed, ['draft'])
  assert.partialDeepStrictEqual(restored.body, { status: 'draft', superseded_by_id: null, archive_reason: null })
  assert.ok((await acme.events()).includes('content.archived'))
  assert.equal((await acme.events()).at(-1), 'content.restored')
})

test('only members of the audience, the owner and managers see an item', async () => {
  const acme = await tenant()
  const insider = await acme.person('viewer')
  const { body: team } = await acme.manager.post('/api/teams/', {
    name: 'West',
    members: [{ user_id: insider.userId }],
  })
  const item = await createItem(acme.member, { audience_team_ids: [team.id], body: 'Secret prices' })
  await publishItem(acme, item.id)
  const sees = async ({ get }: typeof insider) => [
    (await get(`${url}${item.id}`)).status,
    (await get(url)).body.total,
    (await get(`${url}?search=secret`)).body.total,
    (await get(`${url}categories`)).body.total,
  ]
  await acme.manager.patch(`${url}${item.id}`, { category: 'pricing' })

  assert.deepEqual(await sees(acme.viewer), [404, 0, 0, 0])
  for (const user of [insider, acme.member, acme.manager]) assert.deepEqual(await sees(user), [200, 1, 1, 1])
  const unknown = await acme.manager.patch(`${url}${item.id}`, { audience_team_ids: [newId()] })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference'])
})

test('content of another workspace is not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const item = await createItem(acme.manager)
  await publishItem(acme, item.id)

  assert.equal((await other.admin.get(`${url}${item.id}`)).status, 404)
  assert.equal((await other.admin.patch(`${url}${item.id}`, { title: 'Mine' })).status, 404)
  assert.equal((await other.admin.delete(`${url}${item.id}`)).status, 404)
  assert.equal((await other.admin.get(`${url}?search=guide`)).body.total, 0)
})

test('invalid fields are rejected', async () => {
  const acme = await tenant()
  const create = async (fields: object) => {
    const { status, body } = await acme.manager.post(url, { title: 'A', type: 'document', ...fields })
    return [status, body.errors?.[0]?.code]
  }

  assert.deepEqual(await create({ status: 'published' }), [422, 'enum'])
  assert.deepEqual(await create({ url: 'ftp://example.com' }), [422, 'pattern'])
  assert.deepEqual(await create({ url: 'https://ada:secret@example.com' }), [422, 'credentials'])
  assert.deepEqual(await create({ category: 'Not a slug' }), [422, 'pattern'])
  assert.deepEqual(await create({ type: 'battlecard', visibility: 'public' }), [422, 'internal_only_type'])
  assert.deepEqual(await create({ owner_id: newId() }), [422, 'unknown_reference'])
  assert.deepEqual(await create({ expires_at: '2020-01-01T00:00:00Z' }), [422, 'past'])
  const member = await acme.member.post(url, { title: 'A', type: 'document', visibility: 'public' })
  assert.deepEqual([member.status, member.body.code], [403, 'role_required'])
})

test('members delete only own items that were never published', async () => {
  const acme = await tenant()
  const [own, published] = [await createItem(acme.member), await createItem(acme.member)]
  await publishItem(acme, published.id)

  const stale = await acme.member.delete(`${url}${own.id}`, { 'if-match': '"7"' })
  const deleted = await acme.member.delete(`${url}${own.id}`)
  const refused = await acme.member.delete(`${url}${published.id}`)
  const byManager = await acme.manager.delete(`${url}${published.id}`)

  assert.deepEqual([stale.status, deleted.status, refused.status, byManager.status], [412, 204, 403, 204])
  assert.equal((await acme.manager.get(`${url}${own.id}`)).status, 404)
  assert.equal((await acme.manager.get(`${url}?search=guide&status=draft,published`)).body.total, 0)
})

test('enablement-1-12 an edit leaves a stale item stale and a review clears it', async () => {
  const acme = await tenant()
  const item = await createItem(acme.member)
  await publishItem(acme, item.id)
  await acme.sql(
    `update enablement.content_items set last_reviewed_at = $2::timestamptz - interval '200 days',
     next_review_at = $2::timestamptz - interval '20 days' where tenant_id = $1`,
    [acme.id, clock.now()],
  )

  const edited = await acme.member.patch(`${url}${item.id}`, { title: 'Pricing guide 2' })
  const stale = await acme.viewer.get(`${url}?stale=true`)
  const verified = await acme.member.post(`${url}${item.id}/verify`, { outcome: 'still_valid' })
  const fresh = await acme.viewer.get(`${url}?stale=true`)
  const flagged = await acme.manager.post(`${url}${item.id}/verify`, { outcome: 'needs_update', note: 'Old prices' })
  clock.advance(1)
  const read = await acme.viewer.get(`${url}${item.id}`)
  const refused = await acme.viewer.post(`${url}${item.id}/verify`, { outcome: 'still_valid' })

  assert.deepEqual([edited.body.is_stale, edited.body.freshness_score], [true, 46.3])
  assert.equal(stale.body.total, 1)
  assert.deepEqual([verified.status, verified.body.is_stale, verified.body.freshness_score], [200, false, 100])
  assert.equal(fresh.body.total, 0)
  assert.deepEqual([flagged.status, read.body.is_stale], [200, true])
  assert.equal(refused.status, 403)
  const notices = await acme.member.get('/api/auth/notifications')
  assert.match(JSON.stringify(notices.body), /needs an update/)
})
