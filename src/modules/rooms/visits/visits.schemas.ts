import { type Static, Type } from 'typebox'
import { ReadPages } from '#modules/library'
import { CalendarDay, Email, Id, Line, named, nullable, strict, Timestamp } from '#platform/schema'

export const ShareToken = Type.String({ pattern: '^[\\w-]{1,100}$', maxLength: 100 })
const Token = Type.String({ minLength: 1, maxLength: 700 })
const text = nullable(Type.String())
const url = nullable(Type.String())

export const PublicRoomParams = strict({ share_token: ShareToken })
export const VisitParams = strict({ share_token: ShareToken, visit_id: Id })
export const PublicStepParams = strict({ share_token: ShareToken, step_id: Id })
export const VisitHeaders = Type.Object({ 'x-visit-token': Type.Optional(Token) })

const PublicBranding = strict({
  logo_url: url,
  cover_url: url,
  primary_color: Type.String(),
  accent_color: text,
  theme: Type.Enum(['light', 'dark']),
})

export const PublicStep = strict({
  id: Id,
  title: Type.String(),
  description: text,
  side: Type.Enum(['seller', 'buyer']),
  assignee_name: text,
  due_on: nullable(CalendarDay),
  status: Type.Enum(['todo', 'in_progress', 'done', 'cancelled']),
})
export type PublicStep = Static<typeof PublicStep>

export const PublicRoomItem = strict({
  id: Id,
  section_id: nullable(Id),
  kind: Type.Enum(['content', 'link', 'text']),
  title: Type.String(),
  description: text,
  body: text,
  link_url: url,
  media_type: text,
  size_bytes: nullable(Type.Integer()),
  page_count: nullable(Type.Integer()),
  duration_seconds: nullable(Type.Number()),
  thumbnail_url: url,
  url,
  download_url: url,
  visitor: Type.Optional(
    nullable(
      strict({
        progress: Type.Number({ minimum: 0, maximum: 1 }),
        page: nullable(Type.Integer()),
        seen_at: Timestamp,
      }),
    ),
  ),
})
export type PublicRoomItem = Static<typeof PublicRoomItem>

/** Everything that leaves the workspace. */
export const PublicRoom = named(
  'PublicRoom',
  strict({
    title: Type.String(),
    welcome: text,
    branding: PublicBranding,
    seller: strict({
      name: Type.String(),
      title: text,
      avatar_url: url,
      email: text,
      meeting_url: url,
    }),
    sections: Type.Array(strict({ id: Id, title: Type.String(), description: text })),
    items: Type.Array(PublicRoomItem),
    plan: strict({ steps: Type.Array(PublicStep), progress_rate: nullable(Type.Number()) }),
    expires_at: nullable(Timestamp),
  }),
)
export type PublicRoom = Static<typeof PublicRoom>

const Requirements = Type.Array(Type.Enum(['email', 'verified_email', 'password']))

export const PublicRoomState = strict({
  access: Type.Enum(['open', 'gated']),
  requires: Type.Optional(Requirements),
  tenant_name: Type.String(),
  branding: Type.Optional(PublicBranding),
  visit_required: Type.Optional(Type.Boolean({ description: 'Files need a visit, which starts with POST.' })),
  room: Type.Optional(PublicRoom),
})
export type PublicRoomState = Static<typeof PublicRoomState>

export const NewVisit = strict({
  email: Type.Optional(Email),
  name: Type.Optional(Line(120)),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  code: Type.Optional(Type.String({ pattern: '^\\d{6}$', maxLength: 6 })),
  visitor_token: Type.Optional(Token),
  referrer: Type.Optional(Type.String({ maxLength: 500 })),
})
export type NewVisit = Static<typeof NewVisit>

export const OpenedVisit = named(
  'RoomVisit',
  strict({
    visit_id: Id,
    visit_token: Type.String(),
    visitor_token: Type.String(),
    identity: Type.Enum(['anonymous', 'claimed', 'verified']),
    room: PublicRoom,
  }),
)
export const CodeSent = named(
  'RoomCodeSent',
  strict({ state: Type.Literal('code_sent'), expires_in_seconds: Type.Integer() }),
)

const Seconds = Type.Integer({ minimum: 0, maximum: 86_400 })

export const VisitHeartbeat = strict({
  active_seconds: Seconds,
  views: Type.Optional(
    Type.Array(
      strict({
        view_id: Id,
        active_seconds: Seconds,
        progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
        pages: Type.Optional(ReadPages),
      }),
      { maxItems: 20 },
    ),
  ),
  ended: Type.Optional(Type.Boolean()),
})
export type VisitHeartbeat = Static<typeof VisitHeartbeat>

export const VisitState = strict({
  visit_id: Id,
  state: Type.Enum(['open', 'closed']),
  active_seconds: Type.Integer(),
  next_heartbeat_seconds: Type.Integer(),
})

export const NewRoomView = strict({
  item_id: Id,
  action: Type.Optional(Type.Enum(['open', 'download', 'link_click'], { default: 'open' })),
  visit_token: Type.Optional(Token),
})
export type NewRoomView = Static<typeof NewRoomView>

export const RoomView = strict({
  view_id: nullable(Id),
  url,
  expires_at: nullable(Timestamp),
  reported_seconds: Type.Integer({
    description: 'Seconds that heartbeats reported for this view before, from which a client continues.',
  }),
})

export const PublicStepChanges = strict({ status: Type.Enum(['todo', 'in_progress', 'done']) })
export type PublicStepChanges = Static<typeof PublicStepChanges>
