import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { getAccount, lockAccount } from '../accounts/accounts.queries.ts'
import { getContact, lockContact } from '../contacts/contacts.queries.ts'
import {
  accountActivityLogged,
  accountUpdated,
  contactActivityLogged,
  contactUpdated,
  leadActivityLogged,
  leadUpdated,
  opportunityActivityLogged,
  opportunityUpdated,
} from '../crm.events.ts'
import { getLead, type LeadRow, lockLead } from '../leads/leads.queries.ts'
import type { ActivityRow, ParentKind } from './activities.queries.ts'
import { findDeal, lockDeal, touchAround } from './activity-parents.queries.ts'
import type { ActivityParent } from './system-activities.queries.ts'

type Subject = { id: string; version: number }

/** The record an activity is logged with, and everything else it is about. */
export type Parent = { record: Subject; about: ActivityParent; lead?: LeadRow }

type Moment = { at: Date; isEngagement: boolean }

/** Locks the record and notes on it, and on what it belongs to, that something happened. A lead sees to itself. */
export async function touchParent(tx: TenantTx, kind: ParentKind, id: string, moment: Moment): Promise<Parent> {
  if (kind === 'lead') {
    const lead = await lockLead(tx, id)
    const { converted_account_id: account_id, converted_contact_id: contact_id } = lead
    await touchAround(tx, { account_id, contact_id }, moment)
    return { record: lead, about: { lead_id: id, account_id, contact_id }, lead }
  }
  if (kind === 'contact') {
    const { account_id } = await getContact(tx, id)
    await touchAround(tx, { account_id }, moment)
    const contact = await lockContact(tx, id)
    await touchAround(tx, { contact_id: id }, moment)
    return { record: contact, about: { contact_id: id, account_id } }
  }
  if (kind === 'account') {
    const account = await lockAccount(tx, id)
    await touchAround(tx, { account_id: id }, moment)
    return { record: account, about: { account_id: id } }
  }
  const deal = await lockDeal(tx, id)
  if (!deal) throw notFound('opportunity')
  const about = { opportunity_id: id, account_id: deal.account_id }
  await touchAround(tx, about, moment)
  return { record: deal, about }
}

/** A record that is gone has no timeline. */
export async function getParent(tx: TenantTx, kind: ParentKind, id: string): Promise<Subject> {
  if (kind === 'lead') return await getLead(tx, id)
  if (kind === 'contact') return await getContact(tx, id)
  if (kind === 'account') return await getAccount(tx, id)
  const deal = await findDeal(tx, id)
  if (!deal) throw notFound('opportunity')
  return deal
}

const logged = {
  lead: leadActivityLogged,
  contact: contactActivityLogged,
  account: accountActivityLogged,
  opportunity: opportunityActivityLogged,
}
const updated = {
  lead: leadUpdated,
  contact: contactUpdated,
  account: accountUpdated,
  opportunity: opportunityUpdated,
}

export async function announceActivity(tx: TenantTx, kind: ParentKind, record: Subject, activity: ActivityRow) {
  const { id: activity_id, type, direction } = activity
  await emit(tx, logged[kind], record, { activity_id, type, direction })
}

/** Something that had been logged was put right, or taken back. */
export const announceCorrection = (tx: TenantTx, kind: ParentKind, record: Subject): Promise<void> =>
  emit(tx, updated[kind], record, { changed: ['activities'] })
