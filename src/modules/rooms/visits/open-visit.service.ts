import { findPersonByEmail } from '#modules/crm'
import { emailDomainOf, isUserEmail } from '#modules/identity'
import { actorOf, type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { isBot } from '#platform/text'
import { accessDenied, requirementsOf } from '../links/gate.rules.ts'
import type { PublicLink } from '../links/links.queries.ts'
import { roomVisitorIdentified } from '../rooms.events.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import {
  findVisitor,
  findVisitorByEmail,
  insertVisitor,
  updateVisitorRow,
  type VisitorRow,
} from '../visit-records/visitors.queries.ts'
import { insertVisit, type VisitRow } from '../visit-records/visits.queries.ts'
import {
  deviceOf,
  identityOf,
  referrerHostOf,
  type VisitorIdentity,
  visitIdentityOf,
} from '../visit-records/visits.rules.ts'
import { isVisitorAllowed } from './visit-access.service.ts'
import { readVisitSettings } from './visit-settings.ts'

type Visitor = {
  email: string | null
  name: string | null
  /** Whether this visit proved the email address with a code. */
  isVerified: boolean
  visitorToken: string | undefined
  referrer: string | undefined
  gateVersion: number
  continued?: { visit: VisitRow; visitor: VisitorRow } | undefined
}
type OpenedVisit = { visit: VisitRow; visitor: VisitorRow; identity: VisitorIdentity }

/** The visitor has passed the gate of the link. */
export async function openVisit(
  tx: TenantTx,
  tokens: VisitTokens,
  { link, room }: PublicLink,
  input: Visitor,
  now: Date,
): Promise<OpenedVisit> {
  const { trace, userId } = actorOf(tx)
  const isInternal = userId !== null || (input.email !== null && (await isInternalEmail(tx, input.email)))
  const isAutomatic = isBot(trace?.userAgent)
  const holder = readVisitorToken(tx, tokens, room.id, input.visitorToken)
  const known = input.continued?.visitor ?? (await findKnownVisitor(tx, room.id, holder))
  const visitor = await findOrCreateVisitor(tx, room.id, { ...input, known, isInternal, isAutomatic }, now)
  const identity = input.continued ? visitIdentityOf(input.continued.visit, visitor) : identityOf(visitor)
  const visit = await insertVisit(tx, {
    id: newId(),
    room_id: room.id,
    link_id: link.id,
    visitor_id: visitor.id,
    started_at: now,
    last_event_at: now,
    identity,
    gate_version: input.gateVersion,
    holder_id: input.continued?.visit.holder_id ?? holder?.holderId ?? newId(),
    is_internal: isInternal || visitor.is_internal,
    is_bot: isAutomatic,
    device: deviceOf(trace?.userAgent ?? null),
    referrer_host: referrerHostOf(input.referrer),
  })
  if (!isVisitorAllowed(link, visit, visitor)) throw accessDenied(requirementsOf(link))
  if (visitor.email !== null && visitor.email !== known?.email && !isInternal)
    await emit(tx, roomVisitorIdentified, room, { visitor_id: visitor.id, contact_id: visitor.contact_id })
  return { visit, visitor, identity }
}

type TokenHolder = ReturnType<VisitTokens['readVisitor']>

const readVisitorToken = (tx: TenantTx, tokens: VisitTokens, roomId: string, token: string | undefined): TokenHolder =>
  token === undefined ? undefined : tokens.readVisitor(token, { tenantId: tenantIdOf(tx), roomId })

/** A token from before the visitor proved the email address does not make its holder that visitor. */
async function findKnownVisitor(tx: TenantTx, roomId: string, read: TokenHolder): Promise<VisitorRow | undefined> {
  const known = read ? await findVisitor(tx, roomId, read.visitorId) : undefined
  return known && identityOf(known) === 'verified' && !read?.isVerified ? undefined : known
}

async function isInternalEmail(tx: TenantTx, email: string): Promise<boolean> {
  if (await isUserEmail(tx, email)) return true
  const { internal_domains } = await readVisitSettings(tx)
  return internal_domains.includes(emailDomainOf(email))
}

type Seen = Visitor & { known: VisitorRow | undefined; isInternal: boolean; isAutomatic: boolean }

/**
 * An email address that was proved belongs to one visitor of the room, and one that was only entered to another. An anonymous
 * visitor who enters an address becomes its visitor, if there is none yet.
 */
async function findOrCreateVisitor(tx: TenantTx, roomId: string, seen: Seen, now: Date): Promise<VisitorRow> {
  const { email, name, isVerified, known, isInternal, isAutomatic } = seen
  const isOwnAddress = email !== null && known?.email?.toLowerCase() === email.toLowerCase()
  const isProved = isVerified || (isOwnAddress && known?.email_verified_at !== null)
  const address = email === null ? undefined : { email, isVerified: isProved }
  const owner = address ? await findVisitorByEmail(tx, roomId, address) : known
  const target = owner ?? (known?.email === null ? known : undefined)
  const contactId = email === null ? null : (await findPersonByEmail(tx, email)).contact_id
  const mayRename = target === undefined || target.name === null || target.id === known?.id || isVerified
  const changes = {
    ...(email !== null && { email: owner?.email ?? email, contact_id: contactId }),
    ...(name !== null && mayRename && { name }),
    ...(isVerified && { email_verified_at: now }),
    ...(isInternal && { is_internal: true }),
  }
  if (target) return await updateVisitorRow(tx, target.id, { ...changes, last_seen_at: now })
  const inserted = await insertVisitor(tx, {
    id: newId(),
    room_id: roomId,
    ...changes,
    is_internal: isInternal,
    is_bot: isAutomatic,
    first_seen_at: now,
    last_seen_at: now,
  })
  return (
    inserted ??
    (await updateVisitorRow(tx, (await findVisitorByEmail(tx, roomId, address!))!.id, { last_seen_at: now }))
  )
}
