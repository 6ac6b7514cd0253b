import { type Static, Type } from 'typebox'
import { clearable, enumList, Id, Line, listQuery, Search, strict } from '#platform/schema'
import { NewShare, ShareChanges } from '../room-links/room-links.schemas.ts'

export const roomTypes = [
  'deal',
  'onboarding',
  'renewal',
  'evaluation',
  'partner',
  'event',
  'community',
  'general',
] as const
export const roomStatuses = ['draft', 'active', 'closed', 'archived'] as const
export type RoomStatus = (typeof roomStatuses)[number]
export const engagementBands = ['hot', 'warm', 'cool', 'cold'] as const
export const alertNames = ['first_visit', 'new_visitor', 'return', 'hot', 'download', 'plan', 'silent'] as const
export type AlertName = (typeof alertNames)[number]

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, examples: ['#1f4fd8'] })
export const HttpUrl = Type.String({ format: 'uri', pattern: '^https?://[^@]+$', minLength: 8, maxLength: 2_048 })

const BrandingChanges = strict({
  logo_item_id: clearable(Id),
  cover_item_id: clearable(Id),
  primary_color: Type.Optional(Color),
  accent_color: clearable(Color),
  theme: Type.Optional(Type.Enum(['light', 'dark'])),
})
export type BrandingChanges = Static<typeof BrandingChanges>

const AlertChanges = strict({
  first_visit: Type.Optional(Type.Boolean()),
  new_visitor: Type.Optional(Type.Boolean()),
  return: Type.Optional(Type.Boolean()),
  hot: Type.Optional(Type.Boolean()),
  download: Type.Optional(Type.Boolean()),
  plan: Type.Optional(Type.Boolean()),
  silent: Type.Optional(Type.Boolean()),
})

const SettingsChanges = strict({
  downloads_allowed: Type.Optional(Type.Boolean()),
  show_owner_email: Type.Optional(Type.Boolean()),
  meeting_url: clearable(HttpUrl),
  alerts: Type.Optional(AlertChanges),
  silent_after_days: Type.Optional(Type.Integer({ minimum: 2, maximum: 60 })),
})
export type SettingsChanges = Static<typeof SettingsChanges>

const NewSection = strict({ title: Line(120), description: clearable(Type.String({ maxLength: 1_000 })) })
const Section = strict({ id: Type.Optional(Id), ...NewSection.properties })
export type SectionInput = Static<typeof Section>

const writable = {
  public_title: clearable(Line(150)),
  room_type: Type.Optional(Type.Enum([...roomTypes])),
  account_id: clearable(Id),
  opportunity_id: clearable(Id),
  primary_contact_id: clearable(Id),
  owner_id: Type.Optional(Id),
  welcome: clearable(Type.String({ maxLength: 5_000, description: 'Markdown. HTML is shown as text.' })),
  branding: Type.Optional(BrandingChanges),
  settings: Type.Optional(SettingsChanges),
  is_template: Type.Optional(Type.Boolean()),
}

export const NewRoom = strict({
  name: Line(150),
  ...writable,
  sections: Type.Optional(Type.Array(NewSection, { maxItems: 30 })),
  share: Type.Optional(NewShare),
  from_room_id: Type.Optional(Id),
})
export type NewRoom = Static<typeof NewRoom>

const Collaborator = strict({ user_id: Id, role: Type.Enum(['editor', 'viewer']) })
export type CollaboratorInput = Static<typeof Collaborator>

export const RoomChanges = strict({
  name: Type.Optional(Line(150)),
  ...writable,
  status: Type.Optional(Type.Enum([...roomStatuses])),
  sections: Type.Optional(
    Type.Array(Section, { maxItems: 30, description: 'All sections in order. Sections that are missing are deleted.' }),
  ),
  share: Type.Optional(ShareChanges),
  collaborators: Type.Optional(Type.Array(Collaborator, { maxItems: 50 })),
})
export type RoomChanges = Static<typeof RoomChanges>

export const roomSorts = ['-updated_at', '-engagement_score', '-last_external_visit_at', 'name'] as const

export const RoomQuery = listQuery({
  status: Type.Optional(enumList([...roomStatuses])),
  account_id: Type.Optional(Id),
  opportunity_id: Type.Optional(Id),
  room_type: Type.Optional(enumList([...roomTypes])),
  band: Type.Optional(enumList([...engagementBands])),
  mine: Type.Optional(Type.Boolean({ description: 'Only rooms that the caller owns.' })),
  is_template: Type.Optional(Type.Boolean()),
  search: Type.Optional(Search),
  sort: Type.Enum([...roomSorts], { default: '-updated_at' }),
})
export type RoomQuery = Static<typeof RoomQuery>

export const RoomParams = strict({ room_id: Id })
