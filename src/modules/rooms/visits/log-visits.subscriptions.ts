import { contactDeleted } from '#events/crm'
import { logActivity } from '#modules/crm'
import { systemActor } from '#platform/access'
import { systemClock } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { getRoomIncludingDeleted } from '../links/links.queries.ts'
import { roomVisited } from '../rooms.events.ts'
import { blankVisitors, findVisitor } from '../visit-records/visitors.queries.ts'

/** Logs visits of known contacts on the deal of the room, or else on its account, and on the contact. */
export const onRoomVisited = subscribe(
  roomVisited,
  'enablement.log_room_visits',
  async (tx, { subject: { id }, data: { visit_id, visitor_id }, occurred_at, origin }) => {
    if (origin === 'sample') return
    const visitor = await findVisitor(tx, id, visitor_id)
    if (!visitor?.contact_id) return
    const room = await getRoomIncludingDeleted(tx, id)
    const log = (kind: 'opportunity' | 'account' | 'contact', recordId: string) =>
      logVisit(tx, { kind, id: recordId }, { visitId: visit_id, roomName: room.name, at: occurred_at })
    if (room.opportunity_id) await log('opportunity', room.opportunity_id)
    else if (room.account_id) await log('account', room.account_id)
    await log('contact', visitor.contact_id)
  },
)

type Visit = { visitId: string; roomName: string; at: Date }
type Target = { kind: 'opportunity' | 'account' | 'contact'; id: string }

const logVisit = (tx: TenantTx, target: Target, { visitId, roomName, at }: Visit) =>
  logActivity(
    tx,
    systemActor(tenantIdOf(tx)),
    target,
    {
      type: 'room_visited',
      subject: `Visited the room "${roomName}"`.slice(0, 200),
      occurred_at: at.toISOString(),
      source: 'system',
      external_id: `room:${visitId}:${target.kind}`,
    },
    { clock: systemClock },
  )

/** The numbers of the visits stay. */
export const onContactDeleted = subscribe(contactDeleted, 'enablement.blank_visitors', (tx, { subject: { id } }) =>
  blankVisitors(tx, { emailKeys: [], contactIds: [id] }),
)
