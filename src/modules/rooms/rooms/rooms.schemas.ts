import { type Static, Type } from 'typebox'
import { clearable, enumList, Id, Line, listQuery, Search, strict } from '#platform/schema'
import { NewShare, ShareChanges } from '../links/links.schemas.ts'
import {
  BrandingChanges,
  engagementBands,
  roomStatuses,
  roomTypes,
  SettingsChanges,
} from '../records/room-fields.schemas.ts'

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
