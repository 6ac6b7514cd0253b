import type { TenantTx } from '#platform/db'
import type { ErasedPerson } from '#platform/module'
import { type ConsentServices, hashSubjects } from '../../people/consent/find-consent.service.ts'
import { toNames, toPhones } from './mentions.rules.ts'
import { findRelatedIds, listPersonContacts, listPersonLeads, type PersonKeys } from './person-records.queries.ts'

export type Identifiers = Pick<ErasedPerson, 'email_keys' | 'phones' | 'names'>
export type KnownPerson = Identifiers & Pick<ErasedPerson, 'lead_ids' | 'contact_ids'>

const unique = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].sort()

/** Follows addresses, merges and conversions; what erased records no longer have comes from `known`. */
export async function collectPerson(tx: TenantTx, known: KnownPerson): Promise<KnownPerson> {
  let keys: PersonKeys = known
  for (;;) {
    const [leads, contacts] = await Promise.all([listPersonLeads(tx, keys), listPersonContacts(tx, keys)])
    const people = [...leads, ...contacts]
    const next = {
      email_keys: unique([...keys.email_keys, ...people.map(({ email_key }) => email_key)]),
      lead_ids: unique([...keys.lead_ids, ...leads.map(({ id }) => id), ...people.map(({ lead_id }) => lead_id)]),
      contact_ids: unique([
        ...keys.contact_ids,
        ...contacts.map(({ id }) => id),
        ...people.map(({ contact_id }) => contact_id),
      ]),
    }
    if (sizeOf(next) === sizeOf(keys)) {
      const phones = toPhones(people.flatMap(({ phone, phone_e164 }) => [phone, phone_e164]))
      return {
        ...next,
        phones: unique([...known.phones, ...phones]),
        names: unique([...known.names, ...people.flatMap(toNames)]),
      }
    }
    keys = next
  }
}

const sizeOf = ({ email_keys, lead_ids, contact_ids }: PersonKeys): number =>
  email_keys.length + lead_ids.length + contact_ids.length

/** Bounds the search in texts. A shared address can have thousands of leads with different names and phone numbers. */
const maxSearched = 50

export async function toErasedPerson(
  tx: TenantTx,
  person: KnownPerson,
  services: ConsentServices,
): Promise<ErasedPerson> {
  const hashes = await hashSubjects(tx, services, [...person.email_keys, ...person.phones])
  return {
    ...person,
    phones: person.phones.slice(0, maxSearched),
    names: person.names.slice(0, maxSearched),
    ...(await findRelatedIds(tx, person)),
    subject_hashes: [...hashes.values()],
  }
}
