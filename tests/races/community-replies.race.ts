import { setTimeout as sleep } from 'node:timers/promises'
import { retryWhenBusy } from '#testing'
import { type Race, runConcurrently, type TestWorkspace } from './race.ts'

const size = 50
let posts = 0

export async function createRoom({ manager }: TestWorkspace): Promise<string> {
  const { body } = await manager.post('/api/enablement/rooms/', { name: 'Forum', room_type: 'community' })
  await manager.patch(`/api/enablement/rooms/${body.id}`, { status: 'active' })
  return body.id
}

export async function createThread({ member }: TestWorkspace, room_id: string, fields: object = {}): Promise<string> {
  const thread = { room_id, title: 'Race', body: `Text ${++posts}`, ...fields }
  const { body } = await retryWhenBusy(() => member.post('/api/community/threads', thread))
  return `/api/community/threads/${body.id}`
}

/** Reads the counters of the thread and what they must be. */
export async function readCounters({ sql }: TestWorkspace, url: string) {
  const { rows } = await sql(
    `select t.deleted_at is not null as is_deleted, t.reply_count, count(r.id)::int as replies,
       t.last_reply_at is not distinct from max(r.created_at) and t.last_activity_at = coalesce(max(r.created_at), t.created_at) as is_current
     from community.threads t
     left join community.replies r on r.thread_id = t.id and r.deleted_at is null and r.hidden_at is null
     where t.id = $1 group by t.tenant_id, t.id`,
    [url.split('/').at(-1)],
  )
  return rows[0] as { is_deleted: boolean; reply_count: number; replies: number; is_current: boolean }
}

export const isConsistent = ({ reply_count, replies, is_current }: Awaited<ReturnType<typeof readCounters>>) =>
  reply_count === replies && is_current

/** New replies and deletions of earlier ones, each sent twice, change the counters of one thread at once. */
export const repliesAgainstDeletions: Race = {
  name: 'engagement-2-2 replies created and deleted at once',
  weight: 10,
  async prepare(app) {
    const acme = await app.tenant()
    const roomId = await createRoom(acme)
    return async () => {
      const url = await createThread(acme, roomId)
      const reply = () => retryWhenBusy(() => acme.member.post(`${url}/replies`, { body: 'Reply' }))
      const first = await runConcurrently(...Array.from({ length: size }, () => reply))
      const earlier = first as { body: { id: string; reply_no: number } }[]
      const deletions = earlier.flatMap(({ body }) =>
        [1, 2].map(() => () => retryWhenBusy(() => acme.manager.delete(`${url}/replies/${body.id}`))),
      )

      const [newest, ...deleted] = await runConcurrently(reply, ...deletions)

      const numbers = earlier.map(({ body }) => body.reply_no).sort((one, other) => one - other)
      if (numbers.some((number, index) => number !== index + 1)) return { violation: `numbers ${numbers}` }
      const statuses = (deleted as { status: number }[]).map(({ status }) => status)
      if (statuses.filter((status) => status === 204).length !== size) return { violation: `deletions ${statuses}` }
      const counters = await readCounters(acme, url)
      if (!isConsistent(counters) || counters.reply_count !== 1) return { violation: JSON.stringify(counters) }
      return { outcome: `${(newest as { status: number }).status}` }
    }
  },
}

/** A deleted thread has no visible reply that was created later. */
export const replyAgainstThreadDeletion: Race = {
  name: 'engagement-2-9 a reply racing with the deletion of its thread',
  async prepare(app) {
    const acme = await app.tenant()
    const roomId = await createRoom(acme)
    return async () => {
      const url = await createThread(acme, roomId)

      const [replied, deleted] = await runConcurrently(
        () => acme.member.post(`${url}/replies`, { body: 'Reply' }),
        async () => {
          // A reply takes a few more steps than a deletion before it locks the thread.
          await sleep(Math.random() * 20)
          return await acme.manager.delete(url)
        },
      )

      const counters = await readCounters(acme, url)
      const isKept = replied.status === 201
      if (deleted.status !== 204 || (!isKept && replied.status !== 404)) return { violation: `${replied.text}` }
      if (!counters.is_deleted || !isConsistent(counters) || counters.replies !== (isKept ? 1 : 0))
        return { violation: JSON.stringify(counters) }
      const shown = await acme.member.get(`${url}/replies`)
      if (shown.status !== 404) return { violation: `replies of a deleted thread: ${shown.status}` }
      return { outcome: isKept ? 'reply first' : 'deletion first' }
    }
  },
}
