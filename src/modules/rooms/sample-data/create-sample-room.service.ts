import { type DealPersons, findDealCards, listDealPersons } from '#modules/crm'
import { findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { findSampleId, type Services } from '#platform/module'
import { createRoomItem } from '../items/items.service.ts'
import { findDefaultLink } from '../links/links.queries.ts'
import { createRoomLink } from '../links/links.service.ts'
import { getStepRow } from '../plan/plan.queries.ts'
import { changeStep, createPlanStep } from '../plan/plan.service.ts'
import { listSections } from '../records/room-parts.queries.ts'
import { createRoom } from '../rooms/create-room.service.ts'
import { updateRoom } from '../rooms/update-room.service.ts'
import type { PlannedVisit } from './plan-visits.rules.ts'
import type { SampleRoom } from './sample-room.ts'

type IdOf = (key: string) => string
type RoomContext = {
  tx: TenantTx
  actor: UserActor
  idOf: IdOf
  services: Pick<Services, 'secrets'>
  now: Date
}
export type CreatedRoom = {
  id: string
  plan: SampleRoom
  contactIds: string[]
  /** The link of visitors who are known by name, and that of anonymous ones. */
  links: { named: string; anonymous: string }
}

const expiryDays = 28
const meetingUrl = 'https://meetings.tributary-demo.example/intro'

/** Returns undefined if there is no deal for the room. */
export async function createSampleRoom(
  context: RoomContext,
  plan: SampleRoom,
  visits: readonly PlannedVisit[],
): Promise<CreatedRoom | undefined> {
  const { tx, actor, services, now } = context
  const deal = await findDeal(context, plan)
  if (!deal) return undefined
  const createdAt = daysLater(visits[0]!.startedAt, -1)
  const past = { ...services, clock: { now: () => createdAt } }
  const { id } = await createRoom(
    tx,
    actor,
    {
      name: plan.nameOf(deal.accountName),
      room_type: plan.type,
      opportunity_id: deal.id,
      welcome: plan.welcome.replace('{{last_step}}', dayMonth.format(dueDayOf(plan.plan.at(-1)!.dueInDays, now))),
      sections: plan.sections.map((section) => ({ ...section })),
      settings: { meeting_url: meetingUrl, show_owner_email: true },
      share: { access: plan.access, expires_at: daysLater(now, expiryDays).toISOString() },
      ...(plan.color && { branding: { primary_color: plan.color } }),
      ...(deal.contactIds[0] && { primary_contact_id: deal.contactIds[0] }),
    },
    past,
  )
  await createItems(context, id, plan)
  await createSteps(context, id, plan, createdAt)
  await updateRoom(tx, actor, id, { changes: { status: 'active' } }, past)
  if (plan.isClosed)
    await updateRoom(tx, actor, id, { changes: { status: 'closed' } }, { ...past, clock: { now: () => now } })
  const anonymous = (await findDefaultLink(tx, id))!.id
  const invited = plan.invitation && (await createRoomLink(tx, actor, id, plan.invitation, past))
  return { id, plan, contactIds: deal.contactIds, links: { named: invited?.id ?? anonymous, anonymous } }
}

const sampleDeals = 80
const threeWeeksMs = 21 * 86_400_000

/** Considers one deal per account, so that rooms have different ones. */
async function findDeal({ tx, idOf, now }: RoomContext, { deal }: SampleRoom) {
  const keys =
    'key' in deal ? [deal.key] : Array.from({ length: sampleDeals }, (_, index) => `opportunity:${index + 1}`)
  const ids = keys.flatMap((key) => findSampleId(idOf, key) ?? [])
  const [persons, cards] = await Promise.all([listDealPersons(tx, ids), findDealCards(tx, ids)])
  const byId = new Map(persons.map((found) => [found.id, found]))
  const firstDeals = new Map(ids.toReversed().map((id) => [cards.get(id)!.account_id, byId.get(id)!]))
  const chosen = chooseDeal([...firstDeals.values()], deal, now)
  if (!chosen) return undefined
  const contactIds = [...new Set(chosen.contact_ids)].toSorted()
  return { id: chosen.id, accountName: cards.get(chosen.id)!.account_name ?? '', contactIds }
}

function chooseDeal(deals: readonly DealPersons[], wanted: SampleRoom['deal'], now: Date): DealPersons | undefined {
  if ('key' in wanted) return deals[0]
  if ('openIndex' in wanted) {
    const open = deals.filter(({ kind }) => kind === 'open')
    return open.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())[wanted.openIndex]
  }
  const day = daysLater(now, -wanted.closedDaysAgo).getTime()
  const periodsFrom = ({ closed_at }: DealPersons) => Math.round(Math.abs(closed_at!.getTime() - day) / threeWeeksMs)
  const amountOf = ({ amount_base_minor }: DealPersons) => amount_base_minor ?? 0
  const closed = deals.filter(({ kind }) => kind === wanted.kind)
  return closed.toSorted((one, other) => periodsFrom(one) - periodsFrom(other) || amountOf(other) - amountOf(one))[0]
}

async function createItems({ tx, actor, idOf }: RoomContext, roomId: string, { items }: SampleRoom): Promise<void> {
  const sections = await listSections(tx, roomId)
  for (const { section, ...item } of items) {
    const place = { section_id: sections[section]?.id ?? null }
    if ('content' in item) {
      const { content, ...texts } = item
      await createRoomItem(tx, actor, roomId, { ...place, ...texts, content_item_id: idOf(`content:${content}`) })
    } else if ('link' in item) {
      const { link, ...texts } = item
      await createRoomItem(tx, actor, roomId, { ...place, ...texts, kind: 'link', url: link })
    } else await createRoomItem(tx, actor, roomId, { ...place, kind: 'text', title: item.title, body: item.text })
  }
}

async function createSteps(
  { tx, actor, now }: RoomContext,
  roomId: string,
  { plan }: SampleRoom,
  createdAt: Date,
): Promise<void> {
  const ownName = (await findUserNames(tx, [actor.userId])).get(actor.userId)
  for (const { title, side, dueInDays, assignee, isDone } of plan) {
    const name = side === 'seller' ? ownName : assignee
    const due = dueDayOf(dueInDays, now)
    const { id } = await createPlanStep(
      tx,
      actor,
      roomId,
      {
        title,
        side,
        due_on: due.toISOString().slice(0, 10),
        ...(name && { assignee_name: name }),
        ...(side === 'seller' && { assignee_user_id: actor.userId }),
      },
      { clock: { now: () => createdAt } },
    )
    if (isDone) await changeStep(tx, await getStepRow(tx, roomId, id), { status: 'done' }, name ?? null, due)
  }
}

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** The day itself, or the Monday after a weekend, or the Friday before one in the past. */
function dueDayOf(dueInDays: number, now: Date): Date {
  const day = daysLater(now, dueInDays)
  const weekday = day.getUTCDay()
  if (weekday !== 0 && weekday !== 6) return day
  if (dueInDays < 0) return daysLater(day, weekday === 6 ? -1 : -2)
  return daysLater(day, weekday === 6 ? 2 : 1)
}
