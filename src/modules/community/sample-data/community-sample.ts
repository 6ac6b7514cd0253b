import { daysLater, secondsLater } from '#platform/clock'
import { parseMarkdown } from '#platform/markdown'
import type { IntegrityRun, RecordReference, SampleData, SampleStep } from '#platform/module'
import { replaceThreadAnswer } from '../moderation/accept-answer.service.ts'
import { createReply } from '../replies/create-reply.service.ts'
import { createThread } from '../threads/create-thread.service.ts'
import { updateThreadPin } from '../threads/pin-thread.service.ts'
import { deleteSampleThreads } from './remove-sample.queries.ts'
import { type SampleThread, sampleThreads } from './sample-threads.ts'

/** Threads in the community room of the rooms' sample data. */
export const communitySample: SampleData = {
  name: 'community',
  plan: ({ now }) => sampleThreads.flatMap((thread) => threadSteps(thread, daysLater(now, -thread.daysAgo))),
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const ids = records.filter(({ resource_type }) => resource_type === 'thread').map(({ id }) => id)
    await inTenant((tx) => deleteSampleThreads(tx, ids))
    return []
  },
}

function threadSteps(planned: SampleThread, createdAt: Date): SampleStep[] {
  const { key, author, kind, title, body, isPinned, replies } = planned
  const thread: SampleStep = {
    author,
    async run(tx, actor, idOf) {
      const clock = { now: () => createdAt }
      const document = await parseMarkdown(body, { key: actor.tenantId })
      const { id } = await createThread(tx, actor, { room_id: idOf('room:3'), kind, title, body, document }, clock)
      if (isPinned) await updateThreadPin(tx, actor, id, { change: { pinned: true }, now: createdAt })
      return [{ key, resource_type: 'thread', id }]
    },
  }
  const replySteps = replies.map((reply, index): SampleStep => {
    const clock = { now: () => secondsLater(createdAt, reply.hoursLater * 3_600) }
    return {
      author: reply.author,
      async run(tx, actor, idOf) {
        const document = await parseMarkdown(reply.body, { key: actor.tenantId })
        const { id } = await createReply(tx, actor, idOf(key), { body: reply.body, document }, clock)
        if (reply.isAccepted) await replaceThreadAnswer(tx, actor, idOf(key), { replyId: id })
        return [{ key: `${key}:reply:${index + 1}`, resource_type: 'reply', id }]
      },
    }
  })
  return [thread, ...replySteps]
}
