import { isViewOpen } from '#modules/library'
import { forbidden, gone, notFound } from '#platform/errors'
import type { LinkAccess } from './links.schemas.ts'

export type Requirement = 'email' | 'verified_email' | 'password'

type GatedLink = { access: string; password_hash: string | null; recipient_email: string | null }

/** Returns what a visitor must enter. The recipient of a personal link does not enter an email address again. */
export function requirementsOf({ access, password_hash, recipient_email }: GatedLink): Requirement[] {
  const email: Record<LinkAccess, Requirement[]> = {
    anyone: [],
    email: recipient_email === null ? ['email'] : [],
    verified_email: ['verified_email'],
    allow_list: ['verified_email'],
  }
  return [...email[access as LinkAccess], ...(password_hash === null ? [] : ['password' as const])]
}

export const requiresCode = ({ access }: { access: string }): boolean =>
  access === 'verified_email' || access === 'allow_list'

/** A rule is an email address or `@` with a domain. */
export function matchesRule(email: string, rules: readonly string[]): boolean {
  const key = email.toLowerCase()
  return rules.includes(key) || rules.includes(key.slice(key.lastIndexOf('@')))
}

type ListedLink = { access: string; allowed: readonly string[]; blocked: readonly string[] }

/** The block list wins. */
export const mayEnter = ({ access, allowed, blocked }: ListedLink, email: string): boolean =>
  !matchesRule(email, blocked) && (access !== 'allow_list' || matchesRule(email, allowed))

type GuardedLink = ListedLink & { password_hash: string | null; gate_version: number }
type Guest = { gate_version: number; identity: 'anonymous' | 'claimed' | 'verified'; email: string | null }

/** Whether a running visit would still be let in: the rules of the link can change during the visit. */
export function mayStay(link: GuardedLink, { gate_version, identity, email }: Guest): boolean {
  if (link.password_hash !== null && gate_version !== link.gate_version) return false
  if (email !== null && matchesRule(email, link.blocked)) return false
  if (link.access === 'anyone') return true
  if (email === null || identity === 'anonymous') return false
  return !requiresCode(link) || (identity === 'verified' && mayEnter(link, email))
}

type TimedVisit = { ended_at: Date | null; last_event_at: Date }

export const isVisitOpen = (visit: TimedVisit, now: Date): boolean => visit.ended_at === null && isViewOpen(visit, now)

/** One message for every reason, so that visitors cannot find out who is allowed. */
export const accessDenied = (requires: readonly Requirement[]) =>
  forbidden('access_denied', 'Access denied. Check what you entered.', { requires })

type PublicState = {
  link: { revoked_at: Date | null; expires_at: Date | null }
  room: { status: string; deleted_at: Date | null }
  /** Sellers preview drafts. */
  isPreview?: boolean
}

/** A link of a draft is unknown to visitors; one that worked before says why it does not any more. */
export function assertOpen({ link, room, isPreview = false }: PublicState, now: Date): void {
  const isHidden = room.deleted_at !== null || (room.status === 'draft' && !isPreview)
  if (isHidden) throw notFound('link')
  if (!isLive(link, now)) throw gone('link_expired', 'This link has expired or was revoked.')
  if (!['draft', 'active'].includes(room.status)) throw gone('room_closed', 'This room is closed.')
}

export const showsRoom = ({ link, room, isPreview = false }: PublicState, now: Date): boolean =>
  isLive(link, now) && room.deleted_at === null && (room.status === 'active' || (isPreview && room.status === 'draft'))

export const isLive = ({ revoked_at, expires_at }: PublicState['link'], now: Date): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now)
