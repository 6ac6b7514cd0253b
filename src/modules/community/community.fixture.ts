import assert from 'node:assert/strict'
import { startTestApp, type TestUser } from '#testing'

export const threadsUrl = '/api/community/threads'
export const publicRoomUrl = (roomId: string) => `/api/community/public/rooms/${roomId}/threads`
export const publicThreadUrl = (threadId: string) => `/api/community/public/threads/${threadId}`
export const roomsUrl = '/api/enablement/rooms/'

let posts = 0

/** Starts an application with community rooms. They belong to the manager, so that members do not moderate them. */
export async function startCommunityApp(environment: Record<string, string> = {}) {
  const app = await startTestApp(environment)
  const acme = await app.tenant()

  async function createRoom(
    { status = 'active', ...fields }: Record<string, unknown> = {},
    owner: TestUser = acme.manager,
  ) {
    const room = await owner.post(roomsUrl, { name: 'Product forum', room_type: 'community', ...fields })
    assert.equal(room.status, 201, room.text)
    if (status !== 'draft') {
      const changed = await owner.patch(`${roomsUrl}${room.body.id}`, { status })
      assert.equal(changed.status, 200, changed.text)
    }
    return room.body as { id: string; name: string }
  }

  async function createThread(roomId: string, fields: object = {}, author: TestUser = acme.member) {
    const number = ++posts
    const input = { room_id: roomId, title: `Thread ${number}`, body: `Text ${number}`, ...fields }
    const { status, body, text } = await author.post(threadsUrl, input)
    assert.equal(status, 201, text)
    return { ...body, url: `${threadsUrl}/${body.id}` }
  }

  async function createReply(thread: { url: string }, fields: object = {}, author: TestUser = acme.member) {
    const { status, body, text } = await author.post(`${thread.url}/replies`, { body: `Reply ${++posts}`, ...fields })
    assert.equal(status, 201, text)
    return { ...body, url: `${thread.url}/replies/${body.id}` }
  }

  async function changeSettings(roomId: string, settings: Record<string, unknown>) {
    const [names, values] = [Object.keys(settings), Object.values(settings)]
    await acme.sql(
      `insert into community.room_settings (tenant_id, room_id, ${names}) values ($1, $2, ${names.map((_, n) => `$${n + 3}`)})
       on conflict (tenant_id, room_id) do update set ${names.map((name) => `${name} = excluded.${name}`)}`,
      [acme.id, roomId, ...values],
    )
  }

  const notified = async (userId: string) =>
    (
      await acme.sql(
        'select kind, payload from platform.notifications where tenant_id = $1 and user_id = $2 order by id',
        [acme.id, userId],
      )
    ).rows.map(({ kind }) => kind)

  return { ...app, acme, createRoom, createThread, createReply, changeSettings, notified }
}
