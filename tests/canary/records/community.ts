import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'

const threadsUrl = '/api/community/threads'

/** Posts of the owner in a room of the manager, which others must not see. */
export async function createCommunityRecords(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users } = canary
  const { owner, manager, member } = users
  const room = { name: 'Product forum', room_type: 'community' }
  const { body } = await succeed(manager.post('/api/enablement/rooms/', room))
  await succeed(manager.patch(`/api/enablement/rooms/${body.id}`, { status: 'active' }))
  await succeed(manager.put(`/api/community/rooms/${body.id}/settings`, { public_read: true }))
  const createThread = async (title: string) => {
    const { body: thread } = await succeed(owner.post(threadsUrl, { room_id: body.id, title, body: title }))
    addIds(canary, { thread: thread.id })
    return `${threadsUrl}/${thread.id}`
  }
  const hidden = await createThread(word('hidden thread'))
  await succeed(member.post(`${hidden}/report`, { reason: 'other', note: word('report note') }))
  await succeed(manager.patch(hidden, { hidden: true }))
  const deleted = await createThread(word('deleted thread'))
  await succeed(manager.delete(deleted))
  const suspended = await acme.person('member')
  const suspension = { reason: word('suspension reason') }
  await succeed(manager.put(`/api/community/suspensions/${suspended.userId}`, suspension))
  addIds(canary, { community_room: body.id })
}
