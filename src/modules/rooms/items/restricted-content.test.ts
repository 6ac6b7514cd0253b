import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import type { TestResponse } from '#testing'
import { png } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createPath } from '../../learning/learning.fixture.ts'
import { createItem, createPublishedItem } from '../../library/content/content.fixture.ts'
import { roomsUrl, startRoomApp } from '../visits/visits.fixture.ts'

const { app, acme, createRoom, createFileItem } = await startRoomApp()
const { member: seller, manager } = acme
const collectionsUrl = '/api/enablement/collections/'

type Schema = {
  $ref?: string
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } }
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Ids in bodies that do not refer to content. A new id is either added here or gets a write below. */
const requestsUrl = '/api/enablement/experts/requests/'
const otherIds = new Set([
  'account_id',
  'opportunity_id',
  'primary_contact_id',
  'recipient_contact_id',
  'contact_id',
  'owner_id',
  'user_id',
  'assignee_user_id',
  'audience_team_ids',
  'from_room_id',
  'collection_id',
  'section_id',
  'view_id',
  'visit_id',
  'persona_id',
  'scenario_id',
  'rep_id',
  'path_id',
  'module_id',
  'attempt_id',
  'question_id',
  'bank_id',
  'prerequisite_path_ids',
  'prerequisite_module_ids',
  'module_order',
  'auto_enroll_team_ids',
  'coach_id',
  'prompt_id',
  'reviewer_ids',
  'exemplar_submission_id',
  'user_ids',
  'team_ids',
  'parent_id',
  'expert_id',
  // Only managers set it, who see all content.
  'avatar_item_id',
  'PATCH /api/enablement/coaching/sessions/{session_id} /action_items/0/id',
  'PATCH /api/enablement/rooms/{room_id} /sections/0/id',
  'POST /api/enablement/learning/paths/{path_id}/modules /quiz/questions/0/id',
  'PATCH /api/enablement/learning/paths/{path_id}/modules/{module_id} /quiz/questions/0/id',
  'POST /api/enablement/learning/question-banks/ /questions/0/id',
  'PUT /api/enablement/learning/question-banks/{bank_id} /questions/0/id',
  'POST /api/enablement/rooms/public/{share_token}/view /item_id',
])

function listContentIds({ paths, components }: ApiDocument): string[] {
  const pointersIn = (schema: Schema | undefined, pointer = ''): string[] => {
    if (!schema) return []
    if (schema.$ref) return pointersIn(components.schemas[schema.$ref.split('/').at(-1)!], pointer)
    if (schema.format === 'uuid') return [pointer]
    return [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => pointersIn(inner, `${pointer}/${name}`)),
      ...pointersIn(schema.items, `${pointer}/0`),
      ...(schema.anyOf ?? []).flatMap((inner) => pointersIn(inner, pointer)),
    ]
  }
  const nameOf = (pointer: string) => pointer.split('/').findLast((part) => part !== '0')!
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        pointersIn(requestBody?.content['application/json']?.schema).map((pointer) => ({
          key: `${method.toUpperCase()} ${path} ${pointer}`,
          name: nameOf(pointer),
          isOfEnablement: path.startsWith('/api/enablement/'),
        })),
      ),
    )
    .filter(({ key, name, isOfEnablement }) =>
      isOfEnablement ? !otherIds.has(name) && !otherIds.has(key) : name.includes('content'),
    )
    .map(({ key }) => key)
}

const { body: legal } = await manager.post('/api/teams/', { name: 'Legal', members: [{ user_id: manager.userId }] })
const ofLegal = { title: 'Secret terms', audience_team_ids: [legal.id] }
const secret = await createPublishedItem(acme, ofLegal)
const secretImage = await createFileItem(
  { ...ofLegal, type: 'image', visibility: 'public' },
  { filename: 'logo.png', content: png },
)

test('content of another team is unknown to every write that takes an id of content', async () => {
  const [room, own] = [await createRoom(), await createItem(seller, { title: 'Own' })]
  const { body: collection } = await seller.post(collectionsUrl, { name: 'Kit', item_ids: [own.id] })
  const { body: mixed } = await seller.post(collectionsUrl, { name: 'Mixed kit' })
  await manager.post(`${collectionsUrl}${mixed.id}/items`, { item_ids: [secret.id] })
  const roomUrl = `${roomsUrl}${room.id}`
  const path = await createPath(acme, { status: 'draft' })
  await manager.patch(path.url, { owner_id: seller.userId })
  const question = { topic: 'terms', subject: 'Terms', body: 'Which terms?' }
  await manager.post('/api/enablement/experts/', { user_id: seller.userId, topics: ['terms'] })
  const { body: request } = await manager.post(requestsUrl, question)

  const writes: Record<string, { id?: string; send(id: string): Promise<TestResponse> }> = {
    'PATCH /api/enablement/content/{item_id} /superseded_by_id': {
      send: (superseded_by_id) =>
        seller.patch(`/api/enablement/content/${own.id}`, { status: 'archived', superseded_by_id }),
    },
    'POST /api/enablement/collections/ /item_ids/0': {
      send: (id) => seller.post(collectionsUrl, { name: 'New kit', item_ids: [id] }),
    },
    'PATCH /api/enablement/collections/{collection_id} /cover_item_id': {
      send: (cover_item_id) => seller.patch(`${collectionsUrl}${mixed.id}`, { cover_item_id }),
    },
    'POST /api/enablement/collections/{collection_id}/items /item_ids/0': {
      send: (id) => seller.post(`${collectionsUrl}${collection.id}/items`, { item_ids: [id] }),
    },
    'POST /api/enablement/collections/{collection_id}/items/reorder /item_ids/0': {
      send: (id) => seller.post(`${collectionsUrl}${collection.id}/items/reorder`, { item_ids: [id] }),
    },
    'POST /api/enablement/rooms/ /branding/logo_item_id': {
      id: secretImage.id,
      send: (logo_item_id) => seller.post(roomsUrl, { name: 'Deal', branding: { logo_item_id } }),
    },
    'POST /api/enablement/rooms/ /branding/cover_item_id': {
      id: secretImage.id,
      send: (cover_item_id) => seller.post(roomsUrl, { name: 'Deal', branding: { cover_item_id } }),
    },
    'PATCH /api/enablement/rooms/{room_id} /branding/logo_item_id': {
      id: secretImage.id,
      send: (logo_item_id) => seller.patch(roomUrl, { branding: { logo_item_id } }),
    },
    'PATCH /api/enablement/rooms/{room_id} /branding/cover_item_id': {
      id: secretImage.id,
      send: (cover_item_id) => seller.patch(roomUrl, { branding: { cover_item_id } }),
    },
    'POST /api/enablement/rooms/{room_id}/content /content_item_id': {
      send: (content_item_id) => seller.post(`${roomUrl}/content`, { content_item_id }),
    },
    'POST /api/enablement/learning/paths/{path_id}/modules /content_item_id': {
      send: (content_item_id) =>
        seller.post(`${path.url}/modules`, { title: 'Read', kind: 'content', content_item_id }),
    },
    'PATCH /api/enablement/learning/paths/{path_id}/modules/{module_id} /content_item_id': {
      send: (content_item_id) => seller.patch(path.modules[0]!.url, { content_item_id }),
    },
    'POST /api/enablement/experts/requests/ /content_item_ids/0': {
      send: (id) => seller.post(requestsUrl, { ...question, content_item_ids: [id] }),
    },
    'PATCH /api/enablement/experts/requests/{request_id} /answer_content_item_ids/0': {
      send: (id) =>
        seller.patch(`${requestsUrl}${request.id}`, {
          status: 'answered',
          answer: 'Yes',
          answer_content_item_ids: [id],
        }),
    },
  }

  const document = (app as unknown as { swagger(): ApiDocument }).swagger()
  assert.deepEqual(listContentIds(document).sort(), Object.keys(writes).sort())
  for (const [name, { id = secret.id, send }] of Object.entries(writes)) {
    const [refused, missing] = [await send(id), await send(newId())]
    assert.ok(missing.status >= 400, `${name}: ${missing.status}`)
    assert.deepEqual(withoutIds(refused), withoutIds(missing), name)
  }
})

const withoutIds = ({ status, body: { code, errors, current_item_ids } }: TestResponse) => ({
  status,
  code,
  errors,
  current_item_ids,
})

test('room details mask content of another team, and a copy leaves it out', async () => {
  const colleague = await acme.person('member')
  const room = await createRoom()
  const url = `${roomsUrl}${room.id}`
  await seller.post(`${url}/content`, { kind: 'text', title: 'Hello', body: 'Welcome' })
  const added = await manager.post(`${url}/content`, { content_item_id: secret.id, title: 'Secret title' })
  await manager.patch(url, { branding: { logo_item_id: secretImage.id } })

  const [ofSeller, ofColleague, ofManager] = await Promise.all(
    [seller, colleague, manager].map((user) => user.get(url)),
  )
  const moved = await seller.patch(`${url}/content/${added.body.id}`, { position: 0 })
  const analytics = await seller.get(`${url}/analytics`)
  const copy = await colleague.post(roomsUrl, { name: 'Copy', from_room_id: room.id })
  const copyOfManager = await manager.post(roomsUrl, { name: 'Copy', from_room_id: room.id })

  for (const { status, text } of [ofSeller!, ofColleague!, moved, analytics]) {
    assert.equal(status, 200)
    assert.doesNotMatch(text, new RegExp(`Secret|${secret.id}`))
  }
  assert.partialDeepStrictEqual(ofColleague!.body.items[1], { id: added.body.id, state: 'ok', is_restricted: true })
  assert.partialDeepStrictEqual(ofManager!.body.items[1], {
    content_item_id: secret.id,
    title: 'Secret title',
    content: { title: 'Secret terms' },
    is_restricted: false,
  })
  const copied = ({ body: { items, branding } }: TestResponse) => [items.length, branding.logo_item_id]
  assert.deepEqual(copied(copy), [1, null])
  assert.deepEqual(copied(copyOfManager), [2, secretImage.id])
})
