import { type Static, Type } from 'typebox'
import { Id, Line, nullable, strict } from '#platform/schema'
import { PostBody, threadKinds } from '../threads/threads.schemas.ts'

const hiding = {
  hidden: Type.Optional(Type.Boolean({ description: 'For moderators. `false` resolves the reports as `kept`.' })),
  hidden_reason: Type.Optional({ ...Line(500), description: 'Only together with `hidden: true`.' }),
}

export const ThreadChanges = strict({
  title: Type.Optional(Type.String({ minLength: 3, maxLength: 200 })),
  body: Type.Optional(PostBody(20_000)),
  kind: Type.Optional(
    Type.Enum([...threadKinds], {
      description: '`announcement` is for moderators. A thread that is no longer a question has no accepted answer.',
    }),
  ),
  locked: Type.Optional(Type.Boolean({ description: 'For moderators. Only moderators can reply to a locked thread.' })),
  ...hiding,
  room_id: Type.Optional({
    ...Id,
    description: 'For moderators of both rooms. Another community room; the thread is unpinned.',
  }),
})
export type ThreadChanges = Static<typeof ThreadChanges>

export const ReplyChanges = strict({ body: Type.Optional(PostBody(10_000)), ...hiding })
export type ReplyChanges = Static<typeof ReplyChanges>

export const AcceptedAnswer = strict({
  reply_id: { ...nullable(Id), description: 'A visible reply to the thread, or null for none.' },
})
