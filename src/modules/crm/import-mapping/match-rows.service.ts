import type { TenantTx } from '#platform/db'
import { type ConsentServices, findSubjectHashes } from '../consent/subject-hashes.service.ts'
import { findUniqueValues } from '../custom-values/custom-values.queries.ts'
import type { CustomFieldRow } from '../custom-values/field-definitions.queries.ts'
import type { ImportOptions } from './import.schemas.ts'
import type { ImportedType } from './import-fields.rules.ts'
import {
  listByEmail,
  listContactsByName,
  listErasedHashes,
  listLeadsByName,
  type NameAndCompany,
} from './match-records.queries.ts'
import type { MatchKey } from './match-rows.rules.ts'

/** Ids of the records with each key. Two of them mean that the match is not unique. */
export async function findMatches(
  tx: TenantTx,
  objectType: ImportedType,
  keys: readonly MatchKey[],
  { match_by }: Pick<ImportOptions, 'match_by'>,
  customFields: readonly CustomFieldRow[],
): Promise<Map<string, string[]>> {
  if (!keys.length) return new Map()
  const found = await listMatches(tx, objectType, keys, match_by, customFields)
  const byKey = Map.groupBy(found, ({ key }) => key)
  return new Map([...byKey].map(([key, matches]) => [key, matches.map(({ id }) => id)]))
}

async function listMatches(
  tx: TenantTx,
  objectType: ImportedType,
  keys: readonly MatchKey[],
  matchBy: string,
  customFields: readonly CustomFieldRow[],
): Promise<{ key: string; id: string }[]> {
  if (matchBy === 'email')
    return await listByEmail(
      tx,
      objectType,
      keys.map(({ key }) => key),
    )
  if (matchBy === 'name_company') {
    const list = objectType === 'lead' ? listLeadsByName : listContactsByName
    return await list(tx, keys as readonly NameAndCompany[])
  }
  const field = customFields.find(({ key }) => matchBy === `custom_field:${key}`)
  if (!field) return []
  const values = keys.map(({ valueHash }) => ({ field_id: field.id, value_hash: valueHash!, record_id: '' }))
  return (await findUniqueValues(tx, values)).map(({ value_hash, record_id }) => ({ key: value_hash, id: record_id }))
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
