import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'
import { BodyHtml, Mentions, PostBody, shownPosts } from '../threads/threads.schemas.ts'

export const Reply = named(
  'Reply',
  strict({
    id: Id,
    thread_id: Id,
    reply_no: Type.Integer({ description: 'Counts from 1 in each thread; hidden and deleted replies leave gaps.' }),
    reply_to_id: nullable(Id),
    body: Type.String(),
    body_html: BodyHtml,
    author: Reference,
    mentions: Mentions,
    is_accepted: Type.Boolean(),
    edited_at: nullable(Timestamp),
    is_hidden: Type.Boolean(),
    deleted_at: nullable(Timestamp),
    can: strict({ edit: Type.Boolean(), delete: Type.Boolean(), moderate: Type.Boolean() }),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Reply = Static<typeof Reply>

export const NewReply = strict({
  body: PostBody(10_000),
  reply_to_id: Type.Optional({ ...Id, description: 'A visible reply to the same thread.' }),
})
export type NewReply = Static<typeof NewReply>

export const ReplyParams = strict({ thread_id: Id, reply_id: Id })

export const ReplyQuery = listQuery({
  sort: sortOrder(['reply_no', '-reply_no']),
  after_no: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Only replies with a higher `reply_no`.' }),
  ),
  ...shownPosts,
})
export type ReplyQuery = Static<typeof ReplyQuery>
