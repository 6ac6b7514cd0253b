import { findContactReferences } from '#modules/crm'
import { fileOfContent, insertVisitViews } from '#modules/library'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { storeEngagement } from '../analytics/engagement.service.ts'
import { recountRooms } from '../integrity/integrity.queries.ts'
import { listRoomItemRows } from '../items/items.queries.ts'
import { getRoom } from '../records/rooms.queries.ts'
import { heartbeatSeconds, insertSampleVisitors, insertSampleVisits } from './buyer-visits.queries.ts'
import type { CreatedRoom } from './create-sample-room.service.ts'
import type { PlannedVisit } from './plan-visits.rules.ts'

type VisitContext = { tx: TenantTx; idOf(key: string): string; now: Date }

/** Inserts the visits of a room and derives its counters and its score from them, as the schedules do. */
export async function createSampleVisits(
  { tx, idOf, now }: VisitContext,
  room: CreatedRoom,
  visits: readonly PlannedVisit[],
): Promise<void> {
  const visitors = await createVisitors(tx, room, visits)
  const rows = visits.map((visit) => ({ ...visit, id: newId(), by: visitors[visit.visitor]! }))
  await insertSampleVisits(
    tx,
    rows.map(({ id, by, device, startedAt, seconds }) => ({
      id,
      room_id: room.id,
      link_id: by.linkId,
      visitor_id: by.id,
      holder_id: by.holderId,
      identity: by.identity,
      device,
      started_at: startedAt,
      ended_at: secondsLater(startedAt, seconds),
      active_seconds: seconds,
    })),
  )
  const { account_id, opportunity_id } = await getRoom(tx, room.id)
  const placed = new Map((await listRoomItemRows(tx, room.id)).map((item) => [item.content_item_id, item.id]))
  const views = rows.flatMap(({ id: visit_id, by, views: read }) =>
    read.map(({ content, startedAt, seconds, progress, maxPage, pageSeconds, isCompleted, isDownloaded }) => ({
      id: newId(),
      item_id: idOf(`content:${content}`),
      version_no: fileOfContent(content) ? 1 : null,
      visitor_id: by.id,
      visit_id,
      room_id: room.id,
      room_item_id: placed.get(idOf(`content:${content}`)) ?? null,
      account_id,
      opportunity_id,
      started_at: startedAt,
      last_event_at: secondsLater(startedAt, seconds),
      active_seconds: seconds,
      heartbeats: Math.floor(seconds / heartbeatSeconds) + 1,
      progress: progress ?? 0,
      has_progress: progress !== null,
      max_page: maxPage,
      page_seconds: pageSeconds,
      completed: isCompleted,
      downloaded_at: isDownloaded ? secondsLater(startedAt, seconds) : null,
    })),
  )
  await insertVisitViews(tx, views)
  await recountRooms(tx, [room.id])
  await storeEngagement(tx, room.id, now)
}

/** Colleagues of the contacts, to whom the link was forwarded. */
const colleagues =
  'Nora Lindholm,David Okoro,Elena Rossi,Peter Vogel,Ingrid Solberg,Tomas Novak,Farah Aziz,Simon Keller,Marta Sousa,Liam Byrne'.split(
    ',',
  )

async function createVisitors(
  tx: TenantTx,
  { id: roomId, plan, contactIds, links }: CreatedRoom,
  visits: readonly PlannedVisit[],
) {
  const contacts = await findContactReferences(tx, contactIds)
  const known = contactIds.flatMap((id) => contacts.get(id) ?? []).filter(({ email }) => email !== null)
  const domain = known[0]?.email?.split('@')[1] ?? 'visitor.example'
  const access = plan.invitation?.access ?? plan.access
  const isVerified = access !== 'email'
  const visitors = Array.from({ length: plan.visitors + (plan.anonymousVisitors ?? 0) }, (_, index) => {
    const ids = { id: newId(), holderId: newId() }
    if (index >= plan.visitors) return { ...ids, identity: 'anonymous', linkId: links.anonymous, person: undefined }
    const contact = known[index]
    const name =
      contact?.name ?? colleagues[(3 * index + plan.key.charCodeAt(plan.key.length - 1)) % colleagues.length]!
    const email = contact?.email ?? `${name.toLowerCase().replace(' ', '.')}@${domain}`
    const person = { name, email, contact_id: contact?.id ?? null }
    return { ...ids, identity: isVerified ? 'verified' : 'claimed', linkId: links.named, person }
  })
  const rows = visitors.flatMap(({ id, identity, person }, index) => {
    const own = visits.filter(({ visitor }) => visitor === index)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return []
    return {
      id,
      room_id: roomId,
      email: person?.email ?? null,
      email_verified_at: identity === 'verified' ? first.startedAt : null,
      name: person?.name ?? null,
      contact_id: person?.contact_id ?? null,
      first_seen_at: first.startedAt,
      last_seen_at: secondsLater(last.startedAt, last.seconds),
    }
  })
  await insertSampleVisitors(tx, rows)
  return visitors
}
