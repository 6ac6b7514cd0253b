import assert from 'node:assert/strict'
import { runTenantSchedule, type TestUser } from '#testing'
import { pdf } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createItem, publishItem } from '../../library/content/content.fixture.ts'
import { startContentApp } from '../../library/files/files.fixture.ts'
import { recountRoomVisitsSchedule } from '../analytics/recount-visits.jobs.ts'

export const roomsUrl = '/api/enablement/rooms/'
export const publicUrl = (shareToken: string) => `${roomsUrl}public/${shareToken}`
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'

/** Headers of a form of a page. */
export const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

/** Returns the cookies of a response as a browser sends them. */
export const cookiesOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0]!)
    .join('; ')

/** Starts an application with rooms; visitors have a browser and an IP address of their own. */
export async function startRoomApp(environment: Record<string, string> = {}) {
  const app = await startContentApp(environment)
  const { acme, clock } = app
  clock.freeze()
  let addresses = 0

  const visitor = (headers: Record<string, string> = {}) =>
    acme.anonymous.with({
      remoteAddress: `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`,
      headers: { 'user-agent': browser, ...headers },
    })

  async function createFileItem(fields: object, file: { filename: string; content: Buffer }) {
    const item = await createItem(acme.manager, { body: undefined, ...fields })
    const uploaded = await app.upload(acme.manager, item.id, file)
    assert.equal(uploaded.status, 201)
    return await publishItem(acme, item.id)
  }

  const createDeck = (fields: object = {}, size = 1_000) => {
    const content = Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${'x'.repeat(size)}\n`), pdf])
    return createFileItem({ title: 'Deck', type: 'slide_deck', ...fields }, { filename: 'deck.pdf', content })
  }

  async function createRoom(fields: object = {}, user: TestUser = acme.member) {
    const { status, body } = await user.post(roomsUrl, { name: 'Globex deal', ...fields })
    assert.equal(status, 201)
    return body
  }

  /** Creates a room with a text that visitors can open. */
  async function createActiveRoom(fields: object = {}, items: object[] = []) {
    const room = await createRoom(fields)
    const url = `${roomsUrl}${room.id}`
    const added = []
    for (const item of [{ kind: 'text', title: 'Hello', body: 'Welcome' }, ...items]) {
      const { status, body } = await acme.member.post(`${url}/content`, item)
      assert.equal(status, 201)
      added.push(body)
    }
    const active = await acme.member.patch(url, { status: 'active' })
    assert.equal(active.status, 200)
    return { ...active.body, items: added, url, publicUrl: publicUrl(room.share.share_token) }
  }

  type Room = { publicUrl: string }
  async function startVisit(room: Room, body: object = {}, from = visitor()) {
    const { status, body: opened } = await from.post(`${room.publicUrl}/visit`, body)
    assert.equal(status, 201)
    const own = from.with({ headers: { 'x-visit-token': opened.visit_token } })
    const url = `${room.publicUrl}/visit/${opened.visit_id}`
    return { ...opened, ...own, heartbeat: (beat: object) => own.patch(url, beat) }
  }

  /** Creates a preview; `open` submits the form of its page. */
  async function createPreview(room: { id: string }, user: Pick<TestUser, 'post'> = acme.member) {
    const { status, body } = await user.post(`${roomsUrl}${room.id}/preview`, {})
    assert.equal(status, 201)
    const { pathname: path, search } = new URL(body.url)
    const fields = new URLSearchParams(search).toString()
    return {
      path,
      url: `${path}${search}`,
      fields,
      open: (from = visitor()) => from.post(`${path}/preview`, fields, form),
    }
  }

  async function openPreview(room: { id: string }, user?: Pick<TestUser, 'post'>, from = visitor()) {
    const preview = await createPreview(room, user)
    const opened = await preview.open(from)
    assert.equal(opened.status, 303)
    const cookie = cookiesOf(opened)
    return { ...preview, from, cookie, token: /room_visit=([^;]+)/.exec(cookie)![1]! }
  }

  /** A visit that counts. */
  async function visit(room: Room, seconds = 20, body: object = {}, from = visitor()) {
    const opened = await startVisit(room, body, from)
    clock.advance(seconds)
    const beat = await opened.heartbeat({ active_seconds: seconds })
    assert.equal(beat.status, 200)
    return opened
  }

  /** Access tokens are valid for minutes, and tests let days pass. */
  async function renewSessions(): Promise<void> {
    for (const user of [acme.member, acme.manager]) Object.assign(user, await acme.signIn(user.userId))
  }

  const recount = () => runTenantSchedule(app, recountRoomVisitsSchedule(app.services))
  const analytics = async (room: { url: string }, query = '') =>
    (await acme.member.get(`${room.url}/analytics?${query}`)).body
  const alerts = async (kind = 'room.alert') =>
    (
      await acme.sql('select payload from platform.notifications where tenant_id = $1 and kind = $2 order by id', [
        acme.id,
        kind,
      ])
    ).rows.map(({ payload }) => payload)

  return {
    ...app,
    visitor,
    createFileItem,
    createDeck,
    createRoom,
    createActiveRoom,
    startVisit,
    createPreview,
    openPreview,
    visit,
    renewSessions,
    recount,
    analytics,
    alerts,
  }
}
