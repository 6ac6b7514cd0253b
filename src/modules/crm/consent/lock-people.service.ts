import { type TenantTx, withSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { type LeadRow, lockLeads } from '../lead-records/leads.queries.ts'
import type { PersonRef } from './consent-events.queries.ts'
import { lockConsent } from './consent-locks.queries.ts'
import { findPersonIds, lockPersonContacts, type PersonRecordIds, type PersonRow } from './person-records.queries.ts'

export type LockedPeople = { leads: LeadRow[]; contacts: PersonRow[] }

type PeopleToLock = { emails: readonly string[]; phones: readonly string[]; record?: PersonRef }

const maxAttempts = 10

/** Retries if a record got the email address or phone number before the consent was locked; after that, no record can. */
export async function lockPeople(tx: TenantTx, subjects: PeopleToLock): Promise<LockedPeople> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await withSavepoint(tx, () => lockOnce(tx, subjects))
    } catch (error) {
      if (!(error instanceof PeopleChanged)) throw error
    }
  }
  throw conflict('conflict', 'Records with this email address or phone number are being changed. Try again.')
}

class PeopleChanged extends Error {
  override name = 'PeopleChanged'
}

async function lockOnce(tx: TenantTx, { emails, phones, record }: PeopleToLock): Promise<LockedPeople> {
  const found = await findIds(tx, { emails, phones, record })
  const [leads, contacts] = await Promise.all([
    lockLeads(tx, found.leads),
    lockPersonContacts(tx, found.contacts),
    lockConsent(tx, [...emails, ...phones]),
  ])
  const current = await findIds(tx, { emails, phones, record })
  if (!includesAll(found.leads, current.leads) || !includesAll(found.contacts, current.contacts))
    throw new PeopleChanged()
  return { leads: keepIds(leads, current.leads), contacts: keepIds(contacts, current.contacts) }
}

async function findIds(tx: TenantTx, { record, ...subjects }: PeopleToLock): Promise<PersonRecordIds> {
  const { leads, contacts } = await findPersonIds(tx, subjects)
  const withRecord = (ids: string[], kind: string) =>
    record?.kind === kind && !ids.includes(record.id) ? [...ids, record.id] : ids
  return { leads: withRecord(leads, 'lead'), contacts: withRecord(contacts, 'contact') }
}

const includesAll = (locked: readonly string[], current: readonly string[]): boolean =>
  new Set(current).isSubsetOf(new Set(locked))

function keepIds<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]): Row[] {
  const kept = new Set(ids)
  return rows.filter(({ id }) => kept.has(id))
}
