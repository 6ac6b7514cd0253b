import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'

export const RoomParams = strict({ room_id: Id })

export const NewRoomSettings = strict({
  public_read: Type.Boolean({ default: false, description: 'Whether the threads can be read without sign-in.' }),
  post_policy: Type.Enum(['members', 'moderators'], {
    default: 'members',
    description: 'Who can create threads. Replies are open to all users.',
  }),
  slow_mode_seconds: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    default: 0,
    description: 'Seconds between two replies of a user; does not apply to moderators.',
  }),
  public_author_names: Type.Enum(['full', 'first', 'hidden'], {
    default: 'first',
    description: 'How authors are named to readers without sign-in.',
  }),
})
export type NewRoomSettings = Static<typeof NewRoomSettings>

export const CommunityRoomSettings = named(
  'CommunityRoomSettings',
  strict({
    room_id: Id,
    public_read: Type.Boolean(),
    post_policy: Type.Enum(['members', 'moderators']),
    slow_mode_seconds: Type.Integer(),
    public_author_names: Type.Enum(['full', 'first', 'hidden']),
    version: Type.Integer({ description: '0 while the room has the default settings.' }),
  }),
)
export type CommunityRoomSettings = Static<typeof CommunityRoomSettings>

export const CommunityRoom = named(
  'CommunityRoom',
  strict({
    id: Id,
    name: Type.String(),
    status: Type.Enum(['draft', 'active', 'closed', 'archived']),
    owner_id: Id,
    settings: CommunityRoomSettings,
    thread_count: Type.Integer({ description: 'Number of visible threads, at most 1,000.' }),
    last_activity_at: nullable(Timestamp),
    can: strict({ create_thread: Type.Boolean(), moderate: Type.Boolean() }),
  }),
)
export type CommunityRoom = Static<typeof CommunityRoom>

export const CommunityRoomFilter = listQuery({ sort: sortOrder(['name', '-name']) })
export type CommunityRoomFilter = Static<typeof CommunityRoomFilter>
