import { type Static, Type } from 'typebox'
import { enumList, Id, listQuery, named, nullable, Reference, Search, strict, Timestamp } from '#platform/schema'

export const threadKinds = ['discussion', 'question', 'announcement'] as const
export type ThreadKind = (typeof threadKinds)[number]
const Kind = Type.Enum([...threadKinds])

export const Mentions = Type.Array(strict({ user_id: Id, name: Type.String() }))

const Permissions = strict({
  edit: Type.Boolean(),
  delete: Type.Boolean(),
  pin: Type.Boolean(),
  moderate: Type.Boolean(),
})

export const readingFields = {
  is_following: Type.Boolean({ description: 'Whether new replies notify the caller.' }),
  is_unread: Type.Boolean({
    description: 'Whether the caller has not marked the thread, or a later reply, as read. Always false for viewers.',
  }),
  unread_count: Type.Integer({
    description: 'Number of visible replies after the last one that the caller has read, at most 100.',
  }),
}

const threadFields = {
  id: Id,
  room_id: Id,
  kind: Kind,
  title: Type.String(),
  excerpt: Type.String({ description: 'The first 280 characters of the text, without formatting.' }),
  author: Reference,
  is_pinned: Type.Boolean(),
  pinned_at: nullable(Timestamp),
  is_locked: Type.Boolean(),
  accepted_reply_id: nullable(Id),
  reply_count: Type.Integer(),
  last_reply_at: nullable(Timestamp),
  last_activity_at: Timestamp,
  edited_at: nullable(Timestamp),
  is_hidden: Type.Boolean(),
  deleted_at: nullable(Timestamp),
  ...readingFields,
  can: Permissions,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const ThreadSummary = named('ThreadSummary', strict(threadFields))
export type ThreadSummary = Static<typeof ThreadSummary>

export const ListedThread = named(
  'ListedThread',
  strict({
    ...threadFields,
    matched_reply_no: nullable(
      Type.Integer({ description: 'With `search`, the reply that matches best; null if the thread itself does.' }),
    ),
  }),
)
export type ListedThread = Static<typeof ListedThread>

export const BodyHtml = Type.String({
  description: '`body` as safe HTML. A mention is a link to `mention:` with the id of the user.',
})

export const Thread = named(
  'Thread',
  strict({ ...threadFields, body: Type.String(), body_html: BodyHtml, mentions: Mentions }),
)
export type Thread = Static<typeof Thread>

const bodyDescription =
  'Markdown. `[@Ann](mention:…)` with the id of a user mentions the user; at most ten mentions. HTML is shown as text, images become links.'

export const PostBody = (maxLength: number) => Type.String({ minLength: 1, maxLength, description: bodyDescription })

export const NewThread = strict({
  room_id: { ...Id, description: 'A room of the type `community`.' },
  title: Type.String({ minLength: 3, maxLength: 200 }),
  body: PostBody(20_000),
  kind: Type.Optional(
    Type.Enum([...threadKinds], { default: 'discussion', description: 'Only moderators create announcements.' }),
  ),
})
export type NewThread = Static<typeof NewThread>

export const ThreadParams = strict({ thread_id: Id })

const includesDeleted = Type.Optional(
  Type.Boolean({ description: 'With deleted ones of rooms that you moderate. They are purged after 30 days.' }),
)

/** Parameters that show hidden and deleted posts to moderators. */
export const shownPosts = {
  include_hidden: Type.Optional(
    Type.Boolean({ description: 'With hidden ones of rooms that you moderate, and your own.' }),
  ),
  include_deleted: includesDeleted,
}

export const ThreadOptions = strict({ include_deleted: includesDeleted })

export const ThreadQuery = listQuery({
  room_id: Type.Optional(Id),
  kind: Type.Optional(enumList([...threadKinds])),
  author_id: Type.Optional(Id),
  unanswered: Type.Optional(
    Type.Boolean({ description: 'Questions without (`true`) or with (`false`) an accepted answer.' }),
  ),
  search: Type.Optional({
    ...Search,
    description:
      'Words that must all occur in a thread or in one of its replies, the last one also as a prefix. `"…"` finds a phrase, `-` excludes a word. Accents do not matter. Best matches first.',
  }),
  mentioned: Type.Optional(
    Type.Boolean({ description: 'With `true`, threads that mention you, or have a reply that does.' }),
  ),
  followed: Type.Optional(Type.Boolean({ description: 'With `true`, threads that you follow, with your own.' })),
  ...shownPosts,
})
export type ThreadQuery = Static<typeof ThreadQuery>

export const PinChange = Type.Object(
  {
    pinned: Type.Optional(Type.Boolean({ description: 'Without it, the request changes the state to the opposite.' })),
  },
  { additionalProperties: false, default: {} },
)
export type PinChange = Static<typeof PinChange>
