import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { publicRoomUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const { acme, clock, createRoom, createThread, changeSettings } = await startCommunityApp({ RATE_LIMIT_FACTOR: '1' })
clock.freeze()
const { member, manager } = acme
const room = await createRoom()
const create = (user = member, body = newId()) => user.post(threadsUrl, { room_id: room.id, title: 'Thread', body })

test('a member can create five threads in ten minutes, and a rejected one does not count', async () => {
  const author = await acme.person('member')
  const first = await create(author, 'Same')
  const rejected = await create(author, 'Same')
  for (let n = 0; n < 4; n++) assert.equal((await create(author)).status, 201)

  const sixth = await create(author)
  clock.advance(120)
  const later = await create(author)

  assert.deepEqual([first.status, rejected.status], [201, 409])
  assert.deepEqual([sixth.status, sixth.body.code, sixth.headers['retry-after']], [429, 'rate_limited', '120'])
  assert.match(sixth.headers['ratelimit-policy'] as string, /"community_threads";q=5;w=600/)
  assert.equal(later.status, 201)
})

test('a member can create ten replies per minute, a moderator five times as many', async () => {
  const thread = await createThread(room.id)
  const reply = async (user: typeof member) => (await user.post(`${thread.url}/replies`, { body: newId() })).status
  const replyTimes = async (user: typeof member, times: number) => {
    const statuses = []
    for (let n = 0; n < times; n++) statuses.push(await reply(user))
    return statuses
  }

  const ofMember = await replyTimes(member, 11)
  const ofManager = await replyTimes(manager, 12)

  assert.deepEqual(ofMember, [...Array(10).fill(201), 429])
  assert.deepEqual(ofManager, Array(12).fill(201))
  assert.match(
    (await manager.post(`${thread.url}/replies`, { body: '' })).status.toString(),
    /422/,
    'an invalid reply is not counted',
  )
})

test('a network can read 60 public pages of a workspace per minute', async () => {
  await changeSettings(room.id, { public_read: true })
  const visitor = acme.anonymous.with({ remoteAddress: '203.0.113.7' })
  const statuses = new Map<number, number>()
  for (let n = 0; n < 61; n++) {
    const { status } = await visitor.get(publicRoomUrl(room.id))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const elsewhere = await acme.anonymous.with({ remoteAddress: '203.0.113.8' }).get(publicRoomUrl(room.id))

  assert.deepEqual(
    [...statuses],
    [
      [200, 60],
      [429, 1],
    ],
  )
  assert.equal(elsewhere.status, 200)
})
