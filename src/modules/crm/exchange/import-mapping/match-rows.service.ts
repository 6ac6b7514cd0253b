import { filterActiveUserIds, listUserIdsByText } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { type ConsentServices, findSubjectHashes } from '../../people/consent/find-consent.service.ts'
import { findUniqueValues } from '../../records/custom-values/custom-values.queries.ts'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import type { ImportOptions } from './import.schemas.ts'
import type { ImportedType } from './import-fields.rules.ts'
import {
  listByEmail,
  listContactsByName,
  listConvertedContacts,
  listErasedHashes,
  listLeadsByName,
  type NameAndCompany,
} from './match-records.queries.ts'
import type { MatchKey } from './match-rows.rules.ts'
import type { UserIds } from './parse-cell.rules.ts'

/** `ids` has the records of each key; two of them mean that the match is not unique. `converted` has keys of converted leads only. */
export type Matches = { ids: Map<string, string[]>; converted: Map<string, ConvertedLead> }
export type ConvertedLead = { id: string; contactId: string | null }

type Matching = {
  objectType: ImportedType
  matchBy: ImportOptions['match_by']
  customFields: readonly CustomFieldRow[]
}

export async function findMatches(tx: TenantTx, keys: readonly MatchKey[], matching: Matching): Promise<Matches> {
  if (!keys.length) return { ids: new Map(), converted: new Map() }
  const found = await listMatches(tx, keys, matching, false)
  const byKey = Map.groupBy(found, ({ key }) => key)
  const ids = new Map([...byKey].map(([key, matches]) => [key, matches.map(({ id }) => id)]))
  const unmatched = keys.filter(({ key }) => !ids.has(key))
  const isOfLeads = matching.objectType === 'lead' && unmatched.length > 0
  const leads = isOfLeads ? await listMatches(tx, unmatched, matching, true) : []
  const contacts = await listConvertedContacts(
    tx,
    leads.map(({ id }) => id),
  )
  return { ids, converted: new Map(leads.map(({ key, id }) => [key, { id, contactId: contacts.get(id) ?? null }])) }
}

async function listMatches(
  tx: TenantTx,
  keys: readonly MatchKey[],
  { objectType, matchBy, customFields }: Matching,
  isConverted: boolean,
): Promise<{ key: string; id: string }[]> {
  if (matchBy === 'email') {
    const emails = keys.map(({ key }) => key)
    return await listByEmail(tx, objectType, emails, { isConverted })
  }
  if (matchBy === 'name_company') {
    const names = keys as readonly NameAndCompany[]
    return objectType === 'lead'
      ? await listLeadsByName(tx, names, { isConverted })
      : await listContactsByName(tx, names)
  }
  const field = customFields.find(({ key }) => matchBy === `custom_field:${key}`)
  if (!field) return []
  const values = keys.map(({ valueHash }) => ({ field_id: field.id, value_hash: valueHash!, record_id: '' }))
  const found = (await findUniqueValues(tx, values)).map(({ value_hash, record_id }) => ({
    key: value_hash,
    id: record_id,
  }))
  const ids = found.map(({ id }) => id)
  const converted = objectType === 'lead' ? await listConvertedContacts(tx, ids) : new Map()
  return found.filter(({ id }) => converted.has(id) === isConverted)
}

/** Finds addresses of persons who were erased since. The result is exact for addresses whose consent the transaction has locked. */
export async function findErasedSubjects(
  tx: TenantTx,
  services: ConsentServices,
  subjects: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const hashes = await findSubjectHashes(tx, services, [...new Set(subjects)])
  if (!hashes.size) return new Set()
  const erased = (await listErasedHashes(tx, [...hashes.values()], since)).map((hash) => hash.toString('hex'))
  if (!erased.length) return new Set()
  return new Set([...hashes].flatMap(([subject, hash]) => (erased.includes(hash.toString('hex')) ? [subject] : [])))
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function findUsersByText(tx: TenantTx, texts: readonly string[]): Promise<UserIds> {
  if (!texts.length) return new Map()
  const active = await filterActiveUserIds(
    tx,
    texts.filter((text) => uuidPattern.test(text)),
  )
  const found = await listUserIdsByText(tx, texts)
  const byText = Map.groupBy(found, ({ text }) => text)
  const unique = [...byText].flatMap(([text, users]) => (users.length === 1 ? [[text, users[0]!.id] as const] : []))
  return new Map([...[...active].map((id) => [id, id] as const), ...unique])
}
