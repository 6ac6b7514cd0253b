import { type DealPersons, listDealIdsOfPersons, listDealPersons, readCrmSettings } from '#modules/crm'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { creditTouches, findTouches, type Membership, type Touch } from './attribution.rules.ts'
import { type TakenMark, takeAttributionMarks } from './marks.queries.ts'
import { listMemberships, listTouches, type NewTouch, replaceTouches, type StoredTouch } from './touches.queries.ts'

const marksPerBatch = 200

/** Calculates the touches of marked deals. Returns false if there are no more marks. */
export async function attributeMarkedDeals(tx: TenantTx, now: Date): Promise<boolean> {
  await acquireAdvisoryLock(tx, 'attribution')
  const marks = await takeAttributionMarks(tx, marksPerBatch)
  if (!marks.length) return false
  const dealIds = await listMarkedDealIds(tx, marks)
  const closing = new Set(marks.filter(({ is_closing }) => is_closing).map(({ record_id }) => record_id))
  await attributeDeals(tx, dealIds, { closing, now })
  return true
}

async function listMarkedDealIds(tx: TenantTx, marks: readonly TakenMark[]): Promise<string[]> {
  const idsOf = (type: TakenMark['record_type']) => [
    ...new Set(marks.filter(({ record_type }) => record_type === type).map(({ record_id }) => record_id)),
  ]
  const persons = { leadIds: idsOf('lead'), contactIds: idsOf('contact') }
  return [...new Set([...idsOf('opportunity'), ...(await listDealIdsOfPersons(tx, persons))])]
}

const dealsPerStatement = 500

async function attributeDeals(
  tx: TenantTx,
  ids: readonly string[],
  { closing, now }: { closing: ReadonlySet<string>; now: Date },
): Promise<void> {
  const { attribution } = await readCrmSettings(tx)
  for (let start = 0; start < ids.length; start += dealsPerStatement) {
    const deals = await listDealPersons(tx, ids.slice(start, start + dealsPerStatement))
    const dealIds = deals.map(({ id }) => id)
    const stored = Map.groupBy(await listTouches(tx, dealIds), ({ opportunity_id }) => opportunity_id)
    const membershipsOf = groupByPerson(
      await listMemberships(tx, {
        leadIds: deals.flatMap(({ lead_id }) => lead_id ?? []),
        contactIds: deals.flatMap(({ contact_ids }) => contact_ids),
      }),
    )
    const touches = deals.flatMap((deal): NewTouch[] => {
      const kept = keptTouches(deal, stored.get(deal.id) ?? [], closing)
      const found = kept ?? findTouches(deal, membershipsOf(deal), attribution, now)
      return toRows(deal, found)
    })
    await replaceTouches(tx, dealIds, touches)
  }
}

/** The touches of a closed deal are fixed; only their shares follow the amount. */
function keptTouches({ id, kind }: DealPersons, stored: readonly StoredTouch[], closing: ReadonlySet<string>) {
  return kind === 'open' || closing.has(id) ? undefined : stored
}

function toRows(deal: DealPersons, touches: readonly Touch[]): NewTouch[] {
  const amount = deal.amount_base_minor ?? 0
  const values = {
    opportunity_id: deal.id,
    kind: deal.kind,
    amount_base_minor: amount,
    frozen: deal.kind !== 'open',
    is_hidden: deal.deleted_at !== null,
  }
  const found = touches.map(({ campaign_id, touch_at }) => ({ campaign_id, touch_at }))
  return creditTouches(found, amount).map((touch) => ({ ...touch, ...values }))
}

/** Deal contacts are often in several deals, so the memberships are grouped once. */
function groupByPerson(memberships: readonly Membership[]): (deal: DealPersons) => Membership[] {
  const byLead = Map.groupBy(memberships, ({ lead_id }) => lead_id)
  const byContact = Map.groupBy(memberships, ({ contact_id }) => contact_id)
  return ({ lead_id, contact_ids }) => [
    ...(lead_id ? (byLead.get(lead_id) ?? []) : []),
    ...contact_ids.flatMap((id) => byContact.get(id) ?? []),
  ]
}
