import { conflict, invalid } from '#platform/errors'
import type { NewRoomLink, NewShare, RoomLinkChanges, ShareChanges } from './links.schemas.ts'

export const maxLiveLinks = 200
export const linkEmailKind = 'room_link'

type Hashed<T> = Omit<T, 'password'> & { password_hash?: string | null }
export type LinkInput = Hashed<NewShare>
export type NewLinkInput = Hashed<NewRoomLink>
export type LinkChanges = Hashed<RoomLinkChanges>
export type DefaultLinkChanges = Hashed<ShareChanges>

type LinkFields = Pick<LinkInput, 'access' | 'allowed' | 'blocked' | 'expires_at' | 'password_hash'>
type LinkColumns = {
  access?: string
  allowed?: string[]
  blocked?: string[]
  expires_at?: Date | null
  password_hash?: string | null
}

/** Email addresses and domains are compared in lower case. */
export function toLinkColumns({ access, allowed, blocked, expires_at, password_hash }: LinkFields): LinkColumns {
  return {
    ...(access && { access }),
    ...(allowed && { allowed: toUniqueLowerCase(allowed) }),
    ...(blocked && { blocked: toUniqueLowerCase(blocked) }),
    ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
    ...(password_hash !== undefined && { password_hash }),
  }
}

const toUniqueLowerCase = (rules: readonly string[]) => [...new Set(rules.map((rule) => rule.toLowerCase()))]

type CheckedLink = { access: string; allowed: readonly string[]; expires_at: Date | null }

export function assertValidLink({ access, allowed, expires_at }: CheckedLink, changed: LinkColumns, now: Date): void {
  if (access === 'allow_list' && !allowed.length)
    throw invalid('body', '/allowed', 'required', '`allowed` is required for the access `allow_list`.')
  if (changed.expires_at && expires_at && expires_at <= now)
    throw invalid('body', '/expires_at', 'past', '`expires_at` must be in the future.')
}

export function assertLinkLimit(liveLinks: number): void {
  if (liveLinks >= maxLiveLinks)
    throw conflict('limit_reached', `A room can have at most ${maxLiveLinks} links. Revoke a link first.`)
}

export function assertNotRevoked({ revoked_at }: { revoked_at: Date | null }): void {
  if (revoked_at !== null) throw conflict('conflict', 'The link is revoked. Create a new link.')
}
