import { type Static, Type } from 'typebox'
import { clearable, Id, nullable, strict } from '#platform/schema'

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

export const BrandingChanges = strict({
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

export const SettingsChanges = strict({
  downloads_allowed: Type.Optional(Type.Boolean()),
  show_owner_email: Type.Optional(Type.Boolean()),
  meeting_url: clearable(HttpUrl),
  alerts: Type.Optional(AlertChanges),
  silent_after_days: Type.Optional(Type.Integer({ minimum: 2, maximum: 60 })),
})
export type SettingsChanges = Static<typeof SettingsChanges>

export const RoomParams = strict({ room_id: Id })

export const RoomBranding = strict({
  logo_item_id: nullable(Id),
  cover_item_id: nullable(Id),
  primary_color: Type.String(),
  accent_color: nullable(Type.String()),
  theme: Type.Enum(['light', 'dark']),
})
export type RoomBranding = Static<typeof RoomBranding>

export const RoomSettings = strict({
  downloads_allowed: Type.Boolean(),
  show_owner_email: Type.Boolean(),
  meeting_url: nullable(Type.String()),
  alerts: strict({
    first_visit: Type.Boolean(),
    new_visitor: Type.Boolean(),
    return: Type.Boolean(),
    hot: Type.Boolean(),
    download: Type.Boolean(),
    plan: Type.Boolean(),
    silent: Type.Boolean(),
  }),
  silent_after_days: Type.Integer(),
})
export type RoomSettings = Static<typeof RoomSettings>
