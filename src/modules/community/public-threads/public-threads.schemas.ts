import { type Static, Type } from 'typebox'
import { Id, named, nullable, pageOf, strict, Timestamp } from '#platform/schema'
import { threadKinds } from '../threads/threads.schemas.ts'

const summaryFields = {
  id: Id,
  kind: Type.Enum([...threadKinds]),
  title: Type.String(),
  author_name: Type.String(),
  is_pinned: Type.Boolean(),
  is_locked: Type.Boolean(),
  reply_count: Type.Integer(),
  created_at: Timestamp,
  last_activity_at: Timestamp,
}

const BodyHtml = Type.String({ description: 'Safe HTML. Mentions are plain text.' })

export const PublicThreadSummary = strict(summaryFields)
export type PublicThreadSummary = Static<typeof PublicThreadSummary>

export const PublicThread = named('PublicThread', strict({ ...summaryFields, body_html: BodyHtml }))
export type PublicThread = Static<typeof PublicThread>

export const PublicReply = strict({
  reply_no: Type.Integer(),
  body_html: BodyHtml,
  author_name: Type.String(),
  is_accepted: Type.Boolean(),
  created_at: Timestamp,
})
export type PublicReply = Static<typeof PublicReply>

export const PublicThreadPage = strict({
  ...pageOf(PublicThreadSummary).properties,
  room: strict({ name: Type.String() }),
})
export type PublicThreadPage = Static<typeof PublicThreadPage>

export const PublicThreadDetails = strict({
  thread: PublicThread,
  replies: strict({
    items: Type.Array(PublicReply),
    total: nullable(Type.Integer({ minimum: 0 })),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
})
export type PublicThreadDetails = Static<typeof PublicThreadDetails>

/** Other parameters are ignored. */
export const PublicPageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items.' }),
  offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Number of items to skip.' }),
})
export type PublicPageQuery = Static<typeof PublicPageQuery>

export const PublicRoomParams = strict({ room_id: Id })
export const PublicThreadParams = strict({ thread_id: Id })
