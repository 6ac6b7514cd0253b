import { type TenantTx, withSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { type LeadRow, lockLeads } from '../lead-records/leads.queries.ts'
import { lockConsent, type PersonRef } from './consent-events.queries.ts'
import { findPersonIds, lockPersonContacts, type PersonRecordIds, type PersonRow } from './person-records.queries.ts'

/** `isPartial` means that a job has to change the other records. */
export type LockedPersonRecords = { leads: LeadRow[]; contacts: PersonRow[]; isPartial: boolean }

type PeopleToLock = { emails: readonly string[]; phones: readonly string[]; record?: PersonRef }

const maxAttempts = 10
const maxLocked = 100

/** Locks only `record` if too many have the email address or phone number. Retries if a record got the email address or phone number before the consent was locked; after that, no record can. */
export async function lockPersonRecords(tx: TenantTx, subjects: PeopleToLock): Promise<LockedPersonRecords> {
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

async function lockOnce(tx: TenantTx, { emails, phones, record }: PeopleToLock): Promise<LockedPersonRecords> {
  const found = await findIds(tx, { emails, phones, record })
  if (!found) return await lockRecord(tx, { emails, phones, record })
  const [leads, contacts] = await Promise.all([
    lockLeads(tx, found.leads),
    lockPersonContacts(tx, found.contacts),
    lockConsent(tx, [...emails, ...phones]),
  ])
  const current = await findIds(tx, { emails, phones, record })
  if (!current || !includesAll(found.leads, current.leads) || !includesAll(found.contacts, current.contacts))
    throw new PeopleChanged()
  return { leads: keepIds(leads, current.leads), contacts: keepIds(contacts, current.contacts), isPartial: false }
}

async function lockRecord(tx: TenantTx, { emails, phones, record }: PeopleToLock): Promise<LockedPersonRecords> {
  const idsOf = (kind: string) => (record?.kind === kind ? [record.id] : [])
  const [leads, contacts] = await Promise.all([
    lockLeads(tx, idsOf('lead')),
    lockPersonContacts(tx, idsOf('contact')),
    lockConsent(tx, [...emails, ...phones]),
  ])
  return { leads, contacts, isPartial: true }
}

async function findIds(tx: TenantTx, { record, ...subjects }: PeopleToLock): Promise<PersonRecordIds | undefined> {
  const { leads, contacts } = await findPersonIds(tx, subjects, maxLocked + 1)
  if (leads.length + contacts.length > maxLocked) return undefined
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
