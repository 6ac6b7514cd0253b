import { findPersonByEmail } from '#modules/crm'
import { emailDomainOf, isUserEmail } from '#modules/identity'
import { actorOf, type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { isBot } from '../content-files/content-files.rules.ts'
import { roomVisitorIdentified } from '../enablement.events.ts'
import { readEnablementSettings } from '../settings/enablement-settings.ts'
import type { PublicLink } from './public-links.queries.ts'
import type { VisitTokens } from './visit-tokens.ts'
import {
  findVisitor,
  findVisitorByEmail,
  insertVisitor,
  updateVisitorRow,
  type VisitorRow,
} from './visitors.queries.ts'
import { insertVisit, type VisitRow } from './visits.queries.ts'
import { deviceOf, identityOf, referrerHostOf, type VisitorIdentity } from './visits.rules.ts'

type Visitor = {
  email: string | null
  name: string | null
  isVerified: boolean
  visitorToken: string | undefined
  referrer: string | undefined
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
  const knownId =
    input.visitorToken === undefined
      ? undefined
      : tokens.readVisitorId(input.visitorToken, { tenantId: tenantIdOf(tx), roomId: room.id })
  const known = knownId ? await findVisitor(tx, room.id, knownId) : undefined
  const visitor = await findOrCreateVisitor(tx, room.id, { ...input, known, isInternal, isAutomatic }, now)
  if (visitor.email !== null && visitor.email !== known?.email && !isInternal)
    await emit(tx, roomVisitorIdentified, room, { visitor_id: visitor.id, contact_id: visitor.contact_id })

  const visit = await insertVisit(tx, {
    id: newId(),
    room_id: room.id,
    link_id: link.id,
    visitor_id: visitor.id,
    started_at: now,
    last_event_at: now,
    is_internal: isInternal || visitor.is_internal,
    is_bot: isAutomatic,
    device: deviceOf(trace?.userAgent ?? null),
    referrer_host: referrerHostOf(input.referrer),
  })
  const isProven = input.isVerified || (known !== undefined && known.id === visitor.id && input.email === null)
  const identity = identityOf(isProven ? visitor : { ...visitor, email_verified_at: null })
  return { visit, visitor, identity }
}

async function isInternalEmail(tx: TenantTx, email: string): Promise<boolean> {
  if (await isUserEmail(tx, email)) return true
  const { internal_domains } = await readEnablementSettings(tx)
  return internal_domains.includes(emailDomainOf(email))
}

type Seen = Visitor & { known: VisitorRow | undefined; isInternal: boolean; isAutomatic: boolean }

/** An email address belongs to one visitor of the room. An anonymous visitor who enters one becomes that visitor. */
async function findOrCreateVisitor(tx: TenantTx, roomId: string, seen: Seen, now: Date): Promise<VisitorRow> {
  const { email, name, isVerified, known, isInternal, isAutomatic } = seen
  const owner = email === null ? known : await findVisitorByEmail(tx, roomId, email)
  const target = owner ?? (known?.email === null && email !== null ? known : undefined)
  const contactId = email === null ? null : (await findPersonByEmail(tx, email)).contact_id
  const identity = {
    ...(email !== null && { email: owner?.email ?? email, contact_id: contactId }),
    ...(name !== null && { name }),
    ...(isVerified && { email_verified_at: now }),
    ...(isInternal && { is_internal: true }),
  }
  if (target) return await updateVisitorRow(tx, target.id, { ...identity, last_seen_at: now })
  const inserted = await insertVisitor(tx, {
    id: newId(),
    room_id: roomId,
    ...identity,
    is_internal: isInternal,
    is_bot: isAutomatic,
    first_seen_at: now,
    last_seen_at: now,
  })
  return inserted ?? (await updateVisitorRow(tx, (await findVisitorByEmail(tx, roomId, email!))!.id, identity))
}
