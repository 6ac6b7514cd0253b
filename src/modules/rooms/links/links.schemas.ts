import { type Static, Type } from 'typebox'
import { clearable, Id, Instant, Line, named, nullable, strict, Timestamp } from '#platform/schema'

export const linkAccess = ['anyone', 'email', 'verified_email', 'allow_list'] as const
export type LinkAccess = (typeof linkAccess)[number]

const AddressRule = Type.String({
  pattern: '^[^\\s@]*@[^\\s@]+$',
  minLength: 3,
  maxLength: 254,
  examples: ['@acme.example'],
  description: 'An email address, or a domain that starts with `@`.',
})
const AddressRules = Type.Array(AddressRule, { maxItems: 500 })
const Password = Type.String({ minLength: 6, maxLength: 128 })

const writable = {
  access: Type.Optional(
    Type.Enum([...linkAccess], {
      description:
        '`email` asks for an email address. `verified_email` and `allow_list` also verify it with a code by email.',
    }),
  ),
  allowed: Type.Optional(AddressRules),
  blocked: Type.Optional(AddressRules),
  expires_at: clearable(Instant),
}

export const NewShare = strict({ ...writable, password: Type.Optional(Password) })
export type NewShare = Static<typeof NewShare>

export const ShareChanges = strict({
  ...writable,
  password: clearable(Password),
  revoke: Type.Optional(Type.Literal(true, { description: 'Revokes the default link at once.' })),
  rotate: Type.Optional(Type.Literal(true, { description: 'Replaces the default link by a new one.' })),
})
export type ShareChanges = Static<typeof ShareChanges>

const label = clearable(Line(80))
const sendEmail = Type.Optional(
  Type.Boolean({
    description:
      'Sends the link to its contact by email, unless the contact has opted out. The room must be active. Up to three emails per link and hour.',
  }),
)

export const NewRoomLink = strict({
  ...NewShare.properties,
  label,
  recipient_contact_id: clearable(Id),
  send_email: sendEmail,
})
export type NewRoomLink = Static<typeof NewRoomLink>

export const RoomLinkChanges = strict({
  ...writable,
  label,
  password: clearable(Password),
  send_email: sendEmail,
  revoked: Type.Optional(Type.Literal(true, { description: 'Revokes the link for good.' })),
})
export type RoomLinkChanges = Static<typeof RoomLinkChanges>

export const RoomLink = named(
  'RoomLink',
  strict({
    id: Id,
    label: nullable(Type.String()),
    is_default: Type.Boolean(),
    url: nullable(
      Type.String({
        description:
          'URL for visitors, who can use it while the room is active. Null in an imported workspace; create a new link there.',
      }),
    ),
    share_token: nullable(Type.String()),
    access: Type.Enum([...linkAccess]),
    has_password: Type.Boolean(),
    allowed: Type.Array(Type.String()),
    blocked: Type.Array(Type.String()),
    expires_at: nullable(Timestamp),
    revoked_at: nullable(Timestamp),
    recipient_contact_id: nullable(Id),
    recipient_email: nullable(Type.String({ description: 'Null without the scope `contacts.read`.' })),
    visit_count: Type.Integer(),
    last_used_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type RoomLink = Static<typeof RoomLink>

export const RoomLinkParams = strict({ room_id: Id, link_id: Id })
