import type { TenantTx } from '#platform/db'
import { lockLeadsIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import type { KnownPerson } from './collect-person.service.ts'
import { hasActivityTexts } from './erase-activities.queries.ts'
import { lockContactsIncludingDeleted, lockContactsToErase } from './erase-contacts.queries.ts'
import { lockLeadsToErase } from './erase-leads.queries.ts'

export async function lockUnerasedRecords(tx: TenantTx, { lead_ids, contact_ids }: KnownPerson): Promise<boolean> {
  await lockLeadsIncludingDeleted(tx, lead_ids)
  await lockContactsIncludingDeleted(tx, contact_ids)
  const leads = await lockLeadsToErase(tx, lead_ids, await personalKeysOf(tx, 'lead'), 1)
  const contacts = await lockContactsToErase(tx, contact_ids, await personalKeysOf(tx, 'contact'), 1)
  return leads.length > 0 || contacts.length > 0 || (await hasActivityTexts(tx, { lead_ids, contact_ids }))
}

const personalKeysOf = async (tx: TenantTx, objectType: 'lead' | 'contact'): Promise<string[]> =>
  (await lockCustomFieldsShared(tx, objectType)).filter(({ is_personal }) => is_personal).map(({ key }) => key)
