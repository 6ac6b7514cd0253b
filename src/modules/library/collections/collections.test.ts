import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createItem, createPublishedItem } from '../content/content.fixture.ts'

const { tenant } = await startTestApp()
const url = '/api/enablement/collections/'
const contentUrl = '/api/enablement/content/'

type Workspace = Awaited<ReturnType<typeof tenant>>
type Entry = { content_item_id: string; position: number; replaced_from: string | null; item: { id: string } }

async function createItems(acme: Workspace, count: number): Promise<string[]> {
  const items = await Promise.all(Array.from({ length: count }, () => createPublishedItem(acme)))
  return items.map(({ id }) => id)
}
async function createCollection({ member }: Workspace, item_ids: string[], fields: object = {}) {
  const { status, body } = await member.post(url, { name: `Kit ${newId()}`, item_ids, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const idsOf = (items: Entry[]) => items.map(({ content_item_id }) => content_item_id)
const readIds = async ({ viewer }: Workspace, id: string) => idsOf((await viewer.get(`${url}${id}`)).body.items)

test('enablement-2-1 items are shown in the order of the last reorder', async () => {
  const acme = await tenant()
  const ids = await createItems(acme, 3)
  const collection = await createCollection(acme, ids)
  const reversed = ids.toReversed()

  const reordered = await acme.member.post(`${url}${collection.id}/items/reorder`, { item_ids: reversed })

  assert.deepEqual([idsOf(collection.items), collection.item_count, collection.hidden_count], [ids, 3, 0])
  assert.deepEqual([reordered.status, idsOf(reordered.body.items)], [200, reversed])
  assert.deepEqual(await readIds(acme, collection.id), reversed)
  assert.deepEqual((await acme.events()).slice(-3), [
    'collection.created',
    'collection.items_changed',
    'collection.items_changed',
  ])
})

test('enablement-2-2 a reorder of other items than the current ones is refused', async () => {
  const acme = await tenant()
  const ids = await createItems(acme, 3)
  const collection = await createCollection(acme, ids)
  const reorder = (item_ids: string[]) => acme.member.post(`${url}${collection.id}/items/reorder`, { item_ids })

  const missing = await reorder(ids.slice(1))
  const unknown = await reorder([ids[0]!, ids[1]!, newId()])
  const repeated = await reorder([ids[0]!, ids[0]!, ids[1]!])

  for (const { status, body } of [missing, unknown])
    assert.deepEqual([status, body.code, body.current_item_ids], [409, 'stale_order', ids])
  assert.deepEqual([repeated.status, repeated.body.errors[0].code], [422, 'unique'])
  assert.deepEqual(await readIds(acme, collection.id), ids)
})

test('enablement-2-3 two parallel adds of the same item create one entry', async () => {
  const acme = await tenant()
  const [first, second] = await createItems(acme, 2)
  const collection = await createCollection(acme, [first!])
  const add = () => acme.member.post(`${url}${collection.id}/items`, { item_ids: [second], position: 0, note: 'New' })

  const answers = await Promise.all([add(), add()])

  assert.deepEqual(answers.map(({ body }) => [body.added.length, body.already.length, body.item_count]).sort(), [
    [0, 1, 2],
    [1, 0, 2],
  ])
  assert.deepEqual(await readIds(acme, collection.id), [second, first])
})

test('enablement-2-4 a collection has at most 500 items', async () => {
  const acme = await tenant()
  const [last] = await createItems(acme, 1)
  const { rows } = await acme.sql(
    `insert into enablement.content_items (tenant_id, id, title, type, status)
     select $1, gen_random_uuid(), 'Item ' || n, 'document', 'published' from generate_series(1, 500) n returning id`,
    [acme.id],
  )
  const collection = await createCollection(
    acme,
    rows.map(({ id }) => id),
  )

  const { status, body } = await acme.member.post(`${url}${collection.id}/items`, { item_ids: [last] })

  assert.deepEqual([collection.item_count, status, body.errors[0].code], [500, 422, 'max_items'])
})

test('enablement-2-5 unknown items and those of another workspace are rejected and nothing is added', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const ids = await createItems(acme, 2)
  const collection = await createCollection(acme, [ids[0]!])
  const foreign = await createPublishedItem(other)
  const draft = await createItem(acme.manager)
  const archived = await createPublishedItem(acme)
  await acme.manager.patch(`${contentUrl}${archived.id}`, { status: 'archived' })
  const add = async (id: string) => {
    const { status, body } = await acme.member.post(`${url}${collection.id}/items`, { item_ids: [ids[1], id] })
    return [status, body.errors[0].code]
  }

  for (const id of [newId(), foreign.id, draft.id, archived.id])
    assert.deepEqual(await add(id), [422, 'unknown_reference'])
  const byManager = await acme.manager.post(`${url}${collection.id}/items`, { item_ids: [archived.id] })
  assert.deepEqual([byManager.status, byManager.body.errors[0].code], [422, 'archived'])
  assert.deepEqual(await readIds(acme, collection.id), [ids[0]])
  assert.equal((await other.admin.get(`${url}${collection.id}`)).status, 404)
})

test('enablement-2-6 an archived collection is read-only and listed only on request', async () => {
  const acme = await tenant()
  const [id, other] = await createItems(acme, 2)
  const collection = await createCollection(acme, [id!], { name: 'Launch kit' })

  const archived = await acme.member.patch(`${url}${collection.id}`, { archived: true })
  const answers = [
    await acme.member.post(`${url}${collection.id}/items`, { item_ids: [other] }),
    await acme.member.post(`${url}${collection.id}/items/reorder`, { item_ids: [id] }),
    await acme.member.delete(`${url}${collection.id}/items/${id}`),
    await acme.member.patch(`${url}${collection.id}`, { name: 'Other' }),
  ]
  const taken = await createCollection(acme, [], { name: 'launch kit' })
  const restored = await acme.member.patch(`${url}${collection.id}`, { archived: false })

  assert.ok(archived.body.archived_at)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([409]))
  assert.equal((await acme.viewer.get(`${url}${collection.id}`)).status, 200)
  assert.deepEqual(
    [(await acme.viewer.get(url)).body.total, (await acme.viewer.get(`${url}?include_archived=true`)).body.total],
    [1, 2],
  )
  assert.deepEqual([restored.status, restored.body.code, restored.body.existing_id], [409, 'already_exists', taken.id])
})

test('enablement-2-7 removing an item in the middle leaves no gap', async () => {
  const acme = await tenant()
  const ids = await createItems(acme, 4)
  const collection = await createCollection(acme, ids)
  await acme.member.patch(`${url}${collection.id}`, { cover_item_id: ids[1] })

  const removed = await acme.member.delete(`${url}${collection.id}/items/${ids[1]}`)
  const again = await acme.member.delete(`${url}${collection.id}/items/${ids[1]}`)
  await acme.manager.delete(`${contentUrl}${ids[2]}`)
  const { body } = await acme.viewer.get(`${url}${collection.id}`)

  assert.deepEqual([removed.status, again.status], [204, 404])
  assert.deepEqual(
    body.items.map(({ content_item_id, position }: Entry) => [content_item_id, position]),
    [
      [ids[0], 0],
      [ids[3], 1],
    ],
  )
  assert.deepEqual([body.item_count, body.hidden_count, body.cover_item_id], [2, 0, null])
})

test('enablement-2-8 a collection never shows items that the reader cannot see', async () => {
  const acme = await tenant()
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'West' })
  const restricted = await createPublishedItem(acme, { audience_team_ids: [team.id] })
  const [open] = await createItems(acme, 1)
  const { body: collection } = await acme.manager.post(url, { name: 'Kit', item_ids: [restricted.id, open] })

  const { body } = await acme.viewer.get(`${url}${collection.id}`)

  assert.deepEqual([idsOf(body.items), body.hidden_count, body.item_count], [[open], 1, 2])
  const closed = await acme.manager.patch(`${url}${collection.id}`, { audience_team_ids: [team.id] })
  assert.equal(closed.status, 200)
  assert.equal((await acme.viewer.get(`${url}${collection.id}`)).status, 404)
  assert.equal((await acme.viewer.get(url)).body.total, 0)
})

test('enablement-2-9 and enablement-1-9 an archived item appears as its replacement, once', async () => {
  const acme = await tenant()
  const [a, b, c] = await createItems(acme, 3)
  const single = await createCollection(acme, [a!])
  const both = await createCollection(acme, [a!, b!])
  const gone = await createCollection(acme, [c!])

  await acme.manager.patch(`${contentUrl}${a}`, { status: 'archived', superseded_by_id: b })
  await acme.manager.patch(`${contentUrl}${c}`, { status: 'archived' })
  const entriesOf = async (id: string) => (await acme.viewer.get(`${url}${id}`)).body

  const replaced = await entriesOf(single.id)
  assert.deepEqual(
    replaced.items.map(({ item, replaced_from }: Entry) => [item.id, replaced_from]),
    [[b, a]],
  )
  assert.deepEqual(
    (await entriesOf(both.id)).items.map(({ item, replaced_from }: Entry) => [item.id, replaced_from]),
    [[b, null]],
  )
  assert.partialDeepStrictEqual(await entriesOf(gone.id), { items: [], hidden_count: 1 })
})

test('enablement-2-10 only the owner and managers change a collection', async () => {
  const acme = await tenant()
  const [id] = await createItems(acme, 1)
  const { body: collection } = await acme.manager.post(url, { name: 'Kit', item_ids: [id] })

  const deleted = await acme.member.delete(`${url}${collection.id}`)
  const unknown = await acme.member.delete(`${url}${newId()}`)
  const malformed = await acme.member.delete(`${url}nonsense`)
  const viewer = await acme.viewer.post(url, { name: 'Kit' })
  const stale = await acme.manager.delete(`${url}${collection.id}`, { 'if-match': '"77"' })
  const own = await acme.manager.delete(`${url}${collection.id}`)

  assert.deepEqual([deleted.status, deleted.body.code], [403, 'role_required'])
  assert.deepEqual([unknown.status, malformed.status, viewer.status], [404, 422, 403])
  assert.deepEqual([stale.status, own.status], [412, 204])
  assert.equal((await acme.viewer.get(`${contentUrl}${id}`)).status, 200)
})

test('names are unique, also for concurrent requests, and can be searched', async () => {
  const acme = await tenant()

  const both = await Promise.all(
    [1, 2].map(() => acme.member.post(url, { name: 'Größe Kit', description: 'Enterprise' })),
  )
  const [created, refused] = both.toSorted((left, right) => left.status - right.status)
  const found = await acme.viewer.get(`${url}?search=grosse`)
  const owner = await acme.member.patch(`${url}${created!.body.id}`, { owner_id: acme.manager.userId })

  assert.deepEqual([created!.status, refused!.status, refused!.body.existing_id], [201, 409, created!.body.id])
  assert.equal(found.body.total, 1)
  assert.equal(owner.status, 403)
})

test('an item that is deleted while it is added is in no collection', async () => {
  const acme = await tenant()
  for (let round = 0; round < 5; round++) {
    const [id] = await createItems(acme, 1)
    const collection = await createCollection(acme, [])

    await Promise.all([
      acme.member.post(`${url}${collection.id}/items`, { item_ids: [id] }),
      acme.manager.delete(`${contentUrl}${id}`),
    ])

    const { body } = await acme.viewer.get(`${url}${collection.id}`)
    assert.deepEqual([body.item_count, body.items], [0, []])
  }
})

test('the list shows collections by name with a cursor', async () => {
  const acme = await tenant()
  for (const name of ['b', 'C', 'a']) await createCollection(acme, [], { name })
  const names = (items: { name: string }[]) => items.map(({ name }) => name)

  const first = await acme.viewer.get(`${url}?limit=2`)
  const second = await acme.viewer.get(`${url}?limit=2&cursor=${first.body.next_cursor}`)

  assert.deepEqual([names(first.body.items), names(second.body.items)], [['a', 'b'], ['C']])
})
