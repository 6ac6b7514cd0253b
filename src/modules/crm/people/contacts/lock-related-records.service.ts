import { type TenantTx, withSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockAccountShared } from '../../records/references/record-names.queries.ts'
import { type ContactRow, lockContactEmail, lockContacts } from './contacts.queries.ts'
import { findRelatedRecordIds, lockRelatedRows, type RelatedRecords } from './related-records.queries.ts'

type LockedContacts = { contacts: ContactRow[]; accountNames: ReadonlyMap<string, string> }

const maxAttempts = 5

/**
 * Locks contacts and related records in the global lock order: leads, emails, deals, accounts, contacts.
 * Retries if relations changed before the contacts were locked.
 */
export async function lockContactsWithRelated(tx: TenantTx, contactIds: readonly string[]): Promise<LockedContacts> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await withSavepoint(tx, () => lockOnce(tx, contactIds))
    } catch (error) {
      if (!(error instanceof RelatedRecordsChanged)) throw error
    }
  }
  throw conflict('conflict', 'Related records of these contacts are being changed. Try again.')
}

class RelatedRecordsChanged extends Error {
  override name = 'RelatedRecordsChanged'
}

async function lockOnce(tx: TenantTx, contactIds: readonly string[]): Promise<LockedContacts> {
  const related = await findRelatedRecordIds(tx, contactIds)
  await lockRelatedRows(tx, 'crm.leads', related.leads)
  for (const email of related.emails) await lockContactEmail(tx, email)
  await lockRelatedRows(tx, 'crm.opportunities', related.deals)
  const accountNames = await lockAccountNames(tx, related.accounts)
  const contacts = await lockContacts(tx, contactIds)
  if (!includesAll(related, await findRelatedRecordIds(tx, contactIds))) throw new RelatedRecordsChanged()
  return { contacts, accountNames }
}

/** Keeps the account names unchanged until the merged contact has its copy. */
async function lockAccountNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of ids) {
    const account = await lockAccountShared(tx, id)
    if (account) names.set(id, account.name)
  }
  return names
}

const includesAll = (locked: RelatedRecords, current: RelatedRecords): boolean =>
  (Object.keys(current) as (keyof RelatedRecords)[]).every((kind) =>
    current[kind].every((id) => locked[kind].includes(id)),
  )
