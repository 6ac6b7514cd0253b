import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { RoomScore } from '../analytics/analytics.schemas.ts'
import { RoomItem } from '../items/items.schemas.ts'
import { RoomLink } from '../links/links.schemas.ts'
import { RoomPlan } from '../plan/plan.schemas.ts'
import { engagementBands, RoomBranding, RoomSettings, roomStatuses, roomTypes } from '../records/room-fields.schemas.ts'

const text = nullable(Type.String())
const id = nullable(Id)
const at = nullable(Timestamp)

const roomFields = {
  id: Id,
  name: Type.String(),
  public_title: text,
  room_type: Type.Enum([...roomTypes]),
  status: Type.Enum([...roomStatuses]),
  account_id: id,
  account: nullable(Reference),
  opportunity_id: id,
  opportunity: nullable(
    strict({
      id: Id,
      name: Type.String(),
      stage_key: Type.String(),
      amount: nullable(Money),
      close_on: Type.String({ format: 'date' }),
    }),
  ),
  primary_contact_id: id,
  primary_contact: nullable(Reference),
  owner_id: Id,
  owner: Reference,
  is_template: Type.Boolean(),
  engagement_score: nullable(Type.Integer()),
  engagement_band: Type.Enum([...engagementBands]),
  first_external_visit_at: at,
  last_external_visit_at: at,
  activated_at: at,
  closed_at: at,
  created_by: id,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const RoomSummary = named('RoomSummary', strict(roomFields))
export type RoomSummary = Static<typeof RoomSummary>

export const RoomSection = named(
  'RoomSection',
  strict({ id: Id, title: Type.String(), description: text, position: Type.Integer() }),
)
export type RoomSection = Static<typeof RoomSection>

export const Room = named(
  'Room',
  strict({
    ...roomFields,
    welcome: text,
    branding: RoomBranding,
    settings: RoomSettings,
    sections: Type.Array(RoomSection),
    items: Type.Array(RoomItem),
    plan: RoomPlan,
    score: RoomScore,
    collaborators: Type.Array(strict({ user_id: Id, name: Type.String(), role: Type.Enum(['editor', 'viewer']) })),
    share: nullable(RoomLink),
    links: Type.Array(RoomLink),
  }),
)
export type Room = Static<typeof Room>
