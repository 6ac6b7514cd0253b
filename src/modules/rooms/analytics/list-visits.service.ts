import { findContactReferences } from '#modules/crm'
import { listReadPages } from '#modules/library'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { listRoomItemRows } from '../items/items.queries.ts'
import { readItemTitles } from '../items/items.service.ts'
import { listLinkRows } from '../links/links.queries.ts'
import { findCollaboratorRole } from '../records/room-parts.queries.ts'
import { getRoom } from '../records/rooms.queries.ts'
import { assertCanSeeLinks } from '../records/rooms.rules.ts'
import { shownEmailOf, visitIdentityOf } from '../visit-records/visits.rules.ts'
import { listCountedVisits, listViewsOfVisits, listVisitorsByIds } from './list-visits.queries.ts'
import type { RoomVisitQuery, RoomVisitSummary } from './list-visits.schemas.ts'

export async function listRoomVisits(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  query: RoomVisitQuery,
): Promise<Page<RoomVisitSummary>> {
  const room = await getRoom(tx, roomId)
  const collaboratorRole = await findCollaboratorRole(tx, roomId, actor.userId)
  assertCanSeeLinks(actor, { owner_id: room.owner_id, collaboratorRole })
  const page = await listCountedVisits(tx, roomId, query)
  const visitorIds = page.items.map(({ visitor_id }) => visitor_id)
  const [visitors, links, views, titles] = await Promise.all([
    listVisitorsByIds(tx, visitorIds),
    listLinkRows(tx, roomId),
    listViewsOfVisits(
      tx,
      page.items.map(({ id }) => id),
    ),
    listRoomItemRows(tx, roomId).then((rows) => readItemTitles(tx, rows)),
  ])
  const contacts = await findContactReferences(
    tx,
    visitors.flatMap(({ contact_id }) => contact_id ?? []),
  )
  const visitorById = new Map(visitors.map((visitor) => [visitor.id, visitor]))
  const labels = new Map(links.map(({ id, label }) => [id, label]))
  const items = page.items.map((visit): RoomVisitSummary => {
    const visitor = visitorById.get(visit.visitor_id)!
    const contact = visitor.contact_id === null ? undefined : contacts.get(visitor.contact_id)
    return {
      id: visit.id,
      started_at: visit.started_at,
      last_event_at: visit.last_event_at,
      seconds: visit.active_seconds,
      device: visit.device as RoomVisitSummary['device'],
      referrer_host: visit.referrer_host,
      is_internal: visit.is_internal,
      link: { id: visit.link_id, label: labels.get(visit.link_id) ?? null },
      visitor: {
        id: visitor.id,
        name: visitor.name,
        email: shownEmailOf(visitor, actor.scopes),
        identity: visitor.email === null ? 'anonymous' : visitIdentityOf(visit, visitor),
        contact: contact ? { id: contact.id, name: contact.name ?? '' } : null,
      },
      items: views
        .filter(({ visit_id }) => visit_id === visit.id)
        .map(({ visit_id: _, page_seconds, ...view }) => ({
          ...view,
          title: titles.get(view.item_id) ?? '',
          pages: listReadPages(page_seconds),
        })),
    }
  })
  return { ...page, items }
}
