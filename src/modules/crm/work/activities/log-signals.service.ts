import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { lockLeads } from '../../people/lead-records/leads.queries.ts'
import { rescoreLeads } from '../../people/scoring/rescore-leads.service.ts'
import { insertActivities, type NewSignal } from './activities.queries.ts'
import type { signalTypes } from './activity.rules.ts'
import {
  listContactParents,
  recordAccountActivity,
  recordContactActivity,
  recordLeadActivity,
} from './activity-parents.queries.ts'
import { recordLoggedActivities } from './record-activities.service.ts'

export type PersonSignal = {
  kind: 'lead' | 'contact'
  id: string
  external_id: string
  subject?: string | null
  campaign_id?: string | null
  at: Date
}
type SignalType = Exclude<(typeof signalTypes)[number], 'email_replied' | 'email_bounced'>
type Parents = Pick<NewSignal, 'lead_id' | 'contact_id' | 'account_id'>
type SignalOptions = { type: SignalType; source: 'campaign' | 'cadence' | 'system'; now: Date }

/** Logs signals of locked leads and contacts with a fixed number of statements. A known `external_id` is skipped. */
export async function logSignals(
  tx: TenantTx,
  actor: Actor,
  signals: readonly PersonSignal[],
  { type, source, now }: SignalOptions,
): Promise<void> {
  if (!signals.length) return
  const idsOf = (kind: PersonSignal['kind']) => signals.filter((one) => one.kind === kind).map(({ id }) => id)
  const leads = await lockLeads(tx, idsOf('lead'))
  const contacts = await listContactParents(tx, idsOf('contact'))
  const leadById = new Map(leads.map((lead) => [lead.id, lead]))
  const contactById = new Map(contacts.map((contact) => [contact.id, contact]))
  const parents = new Map<string, Parents>()
  for (const { id, converted_contact_id, converted_account_id } of leads)
    parents.set(id, { lead_id: id, contact_id: converted_contact_id, account_id: converted_account_id })
  for (const { id, account_id } of contacts) parents.set(id, { lead_id: null, contact_id: id, account_id })
  const rows: NewSignal[] = signals.flatMap(({ kind: _, id, at, subject = null, campaign_id = null, external_id }) => {
    const parent = parents.get(id)
    const values = { type, source, subject, campaign_id, external_id, direction: 'in', actor_type: 'person' }
    return parent ? [{ id: newId(), ...parent, ...values, occurred_at: at, actor_user_id: actor.userId }] : []
  })
  const inserted = await insertActivities(tx, rows)
  if (!inserted.length) return
  await recordAccountActivity(tx, inserted)
  await recordContactActivity(tx, inserted)
  await recordLeadActivity(tx, inserted)
  await recordLoggedActivities(tx, inserted, { leadById, contactById })
  const touched = await lockLeads(
    tx,
    inserted.flatMap(({ lead_id }) => lead_id ?? []),
  )
  await rescoreLeads(tx, touched, { cause: 'activity', now })
}
