import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
import type { BrandingChanges, RoomBranding, RoomSettings, RoomStatus, SettingsChanges } from './room-fields.schemas.ts'

const defaultBranding: RoomBranding = {
  logo_item_id: null,
  cover_item_id: null,
  primary_color: '#1f4fd8',
  accent_color: null,
  theme: 'light',
}

const defaultSettings: RoomSettings = {
  downloads_allowed: true,
  show_owner_email: false,
  meeting_url: null,
  alerts: { first_visit: true, new_visitor: true, return: true, hot: true, download: true, plan: true, silent: true },
  silent_after_days: 7,
}

export const brandingOf = (stored: unknown): RoomBranding => ({ ...defaultBranding, ...(stored as object) })

export function settingsOf(stored: unknown): RoomSettings {
  const own = stored as Partial<RoomSettings>
  return { ...defaultSettings, ...own, alerts: { ...defaultSettings.alerts, ...own.alerts } }
}

export function mergeBranding(stored: unknown, changes: BrandingChanges): RoomBranding {
  const merged = { ...brandingOf(stored), ...changes }
  return {
    ...merged,
    primary_color: merged.primary_color.toLowerCase(),
    accent_color: merged.accent_color?.toLowerCase() ?? null,
  }
}

export function mergeSettings(stored: unknown, changes: SettingsChanges): RoomSettings {
  const current = settingsOf(stored)
  return { ...current, ...changes, alerts: { ...current.alerts, ...changes.alerts } }
}

/** Visitors see images of the branding before they have entered, so they must be public. */
export const isPublicImage = ({ type, status, visibility }: { type: string; status: string; visibility: string }) =>
  type === 'image' && status === 'published' && visibility === 'public'

type Membership = { owner_id: string; collaboratorRole: 'editor' | 'viewer' | undefined }

const ownsOrManages = ({ role, userId }: UserActor, ownerId: string) => ownerId === userId || isManagerOrAdmin(role)

export const canSeeLinks = (actor: UserActor, { owner_id, collaboratorRole }: Membership): boolean =>
  ownsOrManages(actor, owner_id) || collaboratorRole !== undefined

export function assertCanEdit(actor: UserActor, { owner_id, collaboratorRole }: Membership): void {
  if (ownsOrManages(actor, owner_id) || collaboratorRole === 'editor') return
  throw roleRequired('Only the owner, editors of the room, managers and admins can change the room.')
}

export function assertCanSeeLinks(actor: UserActor, membership: Membership): void {
  if (!canSeeLinks(actor, membership))
    throw roleRequired('Only the owner, collaborators of the room, managers and admins can see this.')
}

export function assertOwnsOrManages(actor: UserActor, { owner_id }: { owner_id: string }): void {
  if (!ownsOrManages(actor, owner_id))
    throw roleRequired('Only the owner of the room, managers and admins can do this.')
}

const transitions: Record<RoomStatus, readonly RoomStatus[]> = {
  draft: ['active', 'archived'],
  active: ['closed', 'archived'],
  closed: ['active', 'archived'],
  archived: ['closed'],
}

type ActivatedRoom = { status: string; room_type: string; is_template: boolean }

export function assertTransition({ status }: { status: string }, to: RoomStatus): void {
  const allowed = transitions[status as RoomStatus]
  if (!allowed.includes(to))
    throw invalidTransition(`The status of the room cannot change from ${status} to ${to}.`, {
      from: status,
      to,
      allowed,
    })
}

export function assertCanActivate({ room_type, is_template }: ActivatedRoom, hasVisibleItems: boolean): void {
  if (is_template) throw conflict('conflict', 'A template cannot be activated. Create a room from it.')
  if (!hasVisibleItems && room_type !== 'community')
    throw conflict('conflict', 'A room without visible items cannot be activated. Add an item first.')
}

export function assertUniqueCollaborators(collaborators: readonly { user_id: string }[]): void {
  const ids = collaborators.map(({ user_id }) => user_id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0)
    throw invalid('body', `/collaborators/${repeated}/user_id`, 'unique', 'Each user can be listed only once.')
}

export const accountMismatch = () =>
  invalid('body', '/account_id', 'account_mismatch', '`account_id` must be the account of the deal.')

const dayMs = 86_400_000

/** Moves a day by the days between two instants. */
export function shiftDay(day: string | null, from: Date, to: Date): string | null {
  if (day === null) return null
  const days = Math.floor(to.getTime() / dayMs) - Math.floor(from.getTime() / dayMs)
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}
