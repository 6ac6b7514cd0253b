import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { replyCreated } from '../community.events.ts'
import { type FollowerBatch, listFollowerIds } from '../readers/thread-readers.queries.ts'
import { notifyFollowers } from './notify-followers.service.ts'

/** Further followers of a thread see new replies only as unread. */
export const maxNotifiedFollowers = 1_000
const batchSize = 100

const notifyFollowersJob = defineJob('community.notify_followers', 'events', strict({ thread_id: Id, reply_id: Id }))

export const onReplyCreated = subscribe(
  replyCreated,
  'community.notify_followers',
  async (tx, { subject: { id }, data: { reply_id } }) => {
    const [follower] = await listFollowerIds(tx, { threadId: id, after: nilUuid, limit: 1 })
    if (follower) await enqueue(tx, notifyFollowersJob, { thread_id: id, reply_id })
  },
)

/** A notification has the key of the reply, so a repeated job notifies no one again. */
export const notifyFollowersHandler = defineJobHandler(
  notifyFollowersJob,
  async ({ inTenant, signal }, { thread_id, reply_id }) => {
    let after: string | undefined = nilUuid
    for (let read = 0; after !== undefined && read < maxNotifiedFollowers; read += batchSize) {
      signal.throwIfAborted()
      const batch: FollowerBatch = { threadId: thread_id, after, limit: batchSize }
      after = await inTenant((tx) => notifyFollowers(tx, reply_id, batch))
    }
  },
)
