import { systemActor } from '#platform/access'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { lockLeads } from '../../people/lead-records/leads.queries.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { insertActivities, type NewSignal } from './activities.queries.ts'
import { listContactParents, recordSentTimes } from './activity-parents.queries.ts'
import { logActivity } from './log-activity.service.ts'
import { recordLoggedActivities } from './record-activities.service.ts'

export type LoggedEmail = {
  kind: 'lead' | 'contact'
  /** Id of the lead or contact. */
  id: string
  external_id: string
  subject: string | null
  at: Date
}

/**
 * Logs emails that a cadence sent, with a fixed number of statements. They are automated, so they change the lead only if the settings
 * count them as responses; then they are logged one by one. Deleted records are left out.
 */
export async function logEmails(tx: TenantTx, emails: readonly LoggedEmail[], now: Date): Promise<void> {
  if (!emails.length) return
  const { sla } = await readCrmSettings(tx)
  const idsOf = (kind: LoggedEmail['kind']) => emails.filter((one) => one.kind === kind).map(({ id }) => id)
  const leads = await lockLeads(tx, idsOf('lead'))
  const contacts = await listContactParents(tx, idsOf('contact'))
  const leadById = new Map(leads.map((lead) => [lead.id, lead]))
  const contactById = new Map(contacts.map((contact) => [contact.id, contact]))
  const known = emails.filter(({ id }) => leadById.has(id) || contactById.has(id))
  if (sla.count_automated) return await logOneByOne(tx, known, now)

  const rows = known.map(({ id, external_id, subject, at }): NewSignal => {
    const lead = leadById.get(id)
    return {
      id: newId(),
      lead_id: lead?.id ?? null,
      contact_id: lead ? lead.converted_contact_id : id,
      account_id: lead ? lead.converted_account_id : contactById.get(id)!.account_id,
      type: 'email_sent',
      direction: 'out',
      subject,
      occurred_at: at,
      actor_type: 'automation',
      actor_user_id: null,
      source: 'cadence',
      external_id,
      campaign_id: null,
    }
  })
  const inserted = await insertActivities(tx, rows)
  await recordSentTimes(tx, inserted)
  await recordLoggedActivities(tx, inserted, { leadById, contactById })
}

async function logOneByOne(tx: TenantTx, emails: readonly LoggedEmail[], now: Date): Promise<void> {
  const clock = { now: () => now }
  for (const { kind, id, external_id, subject, at } of emails) {
    const occurred_at = (at < now ? at : now).toISOString()
    const activity = {
      type: 'email_sent',
      source: 'cadence',
      automated: true,
      external_id,
      subject,
      occurred_at,
    } as const
    await logActivity(tx, systemActor(tenantIdOf(tx)), { kind, id }, activity, { clock })
  }
}
