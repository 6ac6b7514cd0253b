import { createRoom, createThread, isConsistent, readCounters } from './community-replies.race.ts'
import { type Race, runConcurrently, type TestWorkspace } from './race.ts'

async function createReply({ member }: TestWorkspace, url: string): Promise<string> {
  return (await member.post(`${url}/replies`, { body: 'Reply' })).body.id
}

/** The last of two accepted answers stays, and only it is shown as accepted. */
export const answersAcceptedAtOnce: Race = {
  name: 'two answers of a question accepted at once',
  async prepare(app) {
    const acme = await app.tenant()
    const roomId = await createRoom(acme)
    return async () => {
      const url = await createThread(acme, roomId, { kind: 'question' })
      const [one, other] = [await createReply(acme, url), await createReply(acme, url)]
      const accept = (reply_id: string) => () => acme.member.put(`${url}/answer`, { reply_id })

      const accepted = await runConcurrently(accept(one), accept(other))

      const { accepted_reply_id } = (await acme.viewer.get(url)).body
      const { items } = (await acme.viewer.get(`${url}/replies`)).body
      const shown = items.filter(({ is_accepted }: { is_accepted: boolean }) => is_accepted)
      if (accepted.some(({ status }) => status !== 200) || shown.length !== 1 || shown[0].id !== accepted_reply_id)
        return { violation: JSON.stringify(accepted.map(({ status }) => status)) }
      return { outcome: accepted_reply_id === one ? 'second first' : 'first first' }
    }
  },
}

/** A reply that a moderator hides while its author deletes it is subtracted once. */
export const hidingAgainstDeletion: Race = {
  name: 'a reply hidden and deleted at once',
  async prepare(app) {
    const acme = await app.tenant()
    const roomId = await createRoom(acme)
    return async () => {
      const url = await createThread(acme, roomId)
      await createReply(acme, url)
      const replyUrl = `${url}/replies/${await createReply(acme, url)}`

      const [hidden, deleted] = await runConcurrently(
        () => acme.manager.patch(replyUrl, { hidden: true }),
        () => acme.member.delete(replyUrl),
      )

      const counters = await readCounters(acme, url)
      if (deleted.status !== 204 || ![200, 404].includes(hidden.status)) return { violation: hidden.text }
      if (!isConsistent(counters) || counters.reply_count !== 1) return { violation: JSON.stringify(counters) }
      await acme.manager.post(`${replyUrl}/restore`)
      const restored = await readCounters(acme, url)
      const expected = hidden.status === 200 ? 1 : 2
      if (!isConsistent(restored) || restored.reply_count !== expected) return { violation: JSON.stringify(restored) }
      return { outcome: hidden.status === 200 ? 'hidden first' : 'deleted first' }
    }
  },
}

/** The third of concurrent reports hides the reply, once. */
export const reportsAtOnce: Race = {
  name: 'engagement-2-11 three users report a reply at once',
  async prepare(app) {
    const acme = await app.tenant()
    const roomId = await createRoom(acme)
    const reporters = await Promise.all([1, 2, 3].map(() => acme.person('member')))
    return async () => {
      const url = await createThread(acme, roomId)
      const reply_id = await createReply(acme, url)

      const reports = await runConcurrently(
        ...reporters.map((user) => () => user.post(`${url}/report`, { reason: 'spam', reply_id })),
      )

      const statuses = (reports as { status: number }[]).map(({ status }) => status)
      const counters = await readCounters(acme, url)
      const { rows } = await acme.sql(
        `select r.reporter_id, (select count(*)::int from platform.audit_log where resource_id = $1 and action = 'reply.hidden') as hidings
         from community.reports r where r.reply_id = $1 and r.resolved_at is null order by r.id`,
        [reply_id],
      )
      if (statuses.some((status) => status !== 201) || rows.length !== 3 || rows[0].hidings !== 1)
        return { violation: JSON.stringify({ statuses, rows }) }
      if (!isConsistent(counters) || counters.reply_count !== 0) return { violation: JSON.stringify(counters) }
      return { outcome: `last: ${reporters.findIndex(({ userId }) => userId === rows[2].reporter_id) + 1}` }
    }
  },
}
