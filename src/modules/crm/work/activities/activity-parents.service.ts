import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import {
  accountActivityLogged,
  accountUpdated,
  contactActivityLogged,
  contactUpdated,
  leadActivityLogged,
  leadUpdated,
  opportunityActivityLogged,
  opportunityUpdated,
} from '../../crm.events.ts'
import { getOpportunity, lockOpportunity } from '../../deals/opportunities/opportunities.queries.ts'
import { getAccount, lockAccount } from '../../people/accounts/accounts.queries.ts'
import { getContact, lockContact } from '../../people/contacts/contacts.queries.ts'
import { getLead, type LeadRow, lockLead } from '../../people/lead-records/leads.queries.ts'
import type { ActivityParentIds } from '../../records/system-activities/system-activities.queries.ts'
import type { ActivityRow, ParentKind } from './activities.queries.ts'
import { listContactParents, listLeadParents, updateLastActivity } from './activity-parents.queries.ts'

type ParentRecord = { id: string; version: number }

type TouchedParent = { record: ParentRecord; parentIds: ActivityParentIds; lead?: LeadRow }

type ActivityTime = { at: Date; isEngagement: boolean }

/** Locks the record and updates `last_activity_at` of it and related records. The caller updates the lead itself. */
export async function touchParent(
  tx: TenantTx,
  kind: ParentKind,
  id: string,
  time: ActivityTime,
): Promise<TouchedParent> {
  if (kind === 'lead') {
    const lead = await lockLead(tx, id)
    const { converted_account_id: account_id, converted_contact_id: contact_id } = lead
    await updateLastActivity(tx, { account_id, contact_id }, time)
    return { record: lead, parentIds: { lead_id: id, account_id, contact_id }, lead }
  }
  if (kind === 'contact') {
    const { account_id } = await getContact(tx, id)
    await updateLastActivity(tx, { account_id }, time)
    const contact = await lockContact(tx, id)
    await updateLastActivity(tx, { contact_id: id }, time)
    return { record: contact, parentIds: { contact_id: id, account_id } }
  }
  if (kind === 'account') {
    const account = await lockAccount(tx, id)
    await updateLastActivity(tx, { account_id: id }, time)
    return { record: account, parentIds: { account_id: id } }
  }
  const deal = await lockOpportunity(tx, id)
  const parentIds = { opportunity_id: id, account_id: deal.account_id }
  await updateLastActivity(tx, parentIds, time)
  return { record: deal, parentIds }
}

export async function getActivityParent(tx: TenantTx, kind: ParentKind, id: string): Promise<ParentRecord> {
  if (kind === 'lead') return await getLead(tx, id)
  if (kind === 'contact') return await getContact(tx, id)
  if (kind === 'account') return await getAccount(tx, id)
  return await getOpportunity(tx, id)
}

const loggedEvents = {
  lead: leadActivityLogged,
  contact: contactActivityLogged,
  account: accountActivityLogged,
  opportunity: opportunityActivityLogged,
}
const updatedEvents = {
  lead: leadUpdated,
  contact: contactUpdated,
  account: accountUpdated,
  opportunity: opportunityUpdated,
}

export async function emitActivityLogged(tx: TenantTx, kind: ParentKind, record: ParentRecord, activity: ActivityRow) {
  const { id: activity_id, type, direction } = activity
  await emit(tx, loggedEvents[kind], record, { activity_id, type, direction })
}

/** An activity of a person can also be changed in the timeline of the account or deal; the person has changed, too. */
export async function emitActivitiesChanged(
  tx: TenantTx,
  kind: ParentKind,
  record: ParentRecord,
  { lead_id = null, contact_id = null }: ActivityParentIds,
): Promise<void> {
  const changed = { changed: ['activities'] }
  await emit(tx, updatedEvents[kind], record, changed)
  if (kind === 'lead' || kind === 'contact') return
  if (contact_id !== null)
    for (const contact of await listContactParents(tx, [contact_id])) await emit(tx, contactUpdated, contact, changed)
  else if (lead_id !== null)
    for (const lead of await listLeadParents(tx, [lead_id])) await emit(tx, leadUpdated, lead, changed)
}
