import assert from 'node:assert/strict'
import { form, publicUrl, startRoomApp } from '../visits/visits.fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declaring their type
type Response = { status: number; body?: any; text?: string }

/** Starts an application with a room that has a gate, and with previews of it. */
export async function startPreviewApp() {
  const app = await startRoomApp()
  const { acme, call, createDeck, createActiveRoom, openPreview } = app
  const { admin, member: seller } = acme
  const deck = await createDeck()
  const room = await createActiveRoom({ public_title: 'Secret plans', share: { password: 'open-sesame' } }, [
    { content_item_id: deck.id },
  ])
  const deckId = room.items[1].id
  const { body: step } = await seller.post(`${room.url}/plan`, { title: 'Sign', side: 'buyer' })

  /** Opens a preview and reads what its requests need. */
  async function startPreview(creator?: Parameters<typeof openPreview>[1]) {
    const preview = await openPreview(room, creator)
    const { path, token, from, cookie } = preview
    const visitUrl = publicUrl(path.split('/').at(-1)!)
    const page = await from.get(path, { cookie })
    const shown = await from.get(visitUrl, { 'x-visit-token': token })
    assert.deepEqual([page.status, shown.status], [200, 200])
    const visitId = /data-visit-id="([^"]+)"/.exec(page.text)![1]!
    return { ...preview, publicUrl: visitUrl, visitId, item: shown.body.room.items[1] }
  }

  type Running = Awaited<ReturnType<typeof startPreview>>
  const requests: Record<string, (running: Running) => Promise<Response>> = {
    page: ({ from, path, cookie }) => from.get(path, { cookie }),
    'page of an item': ({ from, path, cookie }) => from.get(`${path}/items/${deckId}`, { cookie }),
    room: ({ from, publicUrl: url, token }) => from.get(url, { 'x-visit-token': token }),
    file: ({ item }) => call('GET', item.url, { range: 'bytes=0-9' }),
    download: ({ item }) => call('GET', item.download_url),
    ticket: ({ from, publicUrl: url, token }) =>
      from.post(`${url}/view`, { item_id: deckId }, { 'x-visit-token': token }),
    heartbeat: ({ from, publicUrl: url, token, visitId }) =>
      from.patch(`${url}/visit/${visitId}`, { active_seconds: 1 }, { 'x-visit-token': token }),
    plan: ({ from, publicUrl: url, token }) =>
      from.patch(`${url}/plan/${step.id}`, { status: 'done' }, { 'x-visit-token': token }),
    'plan without a script': ({ from, path, cookie }) =>
      from.post(`${path}/plan/${step.id}`, 'status=done', { ...form, cookie }),
    'new visit': ({ from, publicUrl: url, token }) => from.post(`${url}/visit`, {}, { 'x-visit-token': token }),
    'new visit without a script': ({ from, path, cookie }) => from.post(path, '', { ...form, cookie }),
  }

  async function sendAll(running: Running): Promise<[kind: string, response: Response][]> {
    const responses: [string, Response][] = []
    for (const [kind, request] of Object.entries(requests)) responses.push([kind, await request(running)])
    return responses
  }

  const changeShare = (share: object) => async () => assert.equal((await seller.patch(room.url, { share })).status, 200)
  const changeUser = async ({ userId }: { userId: string }, changes: object) =>
    assert.equal((await admin.patch(`/api/users/${userId}`, changes)).status, 200)
  const setCollaborators = async (...users: { userId: string }[]) => {
    const collaborators = users.map(({ userId }) => ({ user_id: userId, role: 'viewer' }))
    assert.equal((await seller.patch(room.url, { collaborators })).status, 200)
  }

  return {
    ...app,
    deck,
    room,
    requests,
    startPreview,
    sendAll,
    changeShare,
    changeUser,
    setCollaborators,
  }
}
