import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'

const thread = { thread_id: Id, title: Type.String() }
const channels = { in_app: true, email: true }
const pathOf = (threadId: string) => `/community/threads/${threadId}`

const mentioned = defineNotification('thread.mentioned', {
  description: 'a user mentions you in a community room',
  payload: strict(thread),
  text: ({ thread_id, title }) => ({
    title: `You were mentioned in "${title}"`,
    body: 'Open the thread to read what was written about you.',
    path: pathOf(thread_id),
  }),
  channels,
  canBeDisabled: true,
})

const replied = defineNotification('thread.replied', {
  description: 'a user replies to a thread that you created or follow in a community room',
  payload: strict(thread),
  text: ({ thread_id, title }) => ({
    title: `New reply to "${title}"`,
    body: 'Open the thread to read the reply.',
    path: pathOf(thread_id),
  }),
  channels,
  canBeDisabled: true,
  emailDelaySeconds: 300,
  coalesceKey: ({ thread_id }) => thread_id,
})

type NotifiedPost = { id: string; thread_id: string; title: string }
const payloadOf = ({ thread_id, title }: NotifiedPost) => ({ thread_id, title })
const optionsOf = ({ id, thread_id }: NotifiedPost) => ({
  dedupeKey: `post:${id}`,
  resource: { type: 'thread', id: thread_id },
})

/** Once per user and post, because the notification has the key of the post. */
export const notifyMentioned = (tx: TenantTx, userId: string, post: NotifiedPost): Promise<void> =>
  notify(tx, userId, mentioned, payloadOf(post), optionsOf(post))

export const notifyReplied = (tx: TenantTx, userId: string, post: NotifiedPost): Promise<void> =>
  notify(tx, userId, replied, payloadOf(post), optionsOf(post))
