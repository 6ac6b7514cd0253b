import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#platform/errors'
import { isStorable } from '#platform/schema'
import { AccountChanges, Address } from '../../people/accounts/accounts.schemas.ts'
import { ContactChanges } from '../../people/contacts/contacts.schemas.ts'
import { LeadChanges } from '../../people/lead-records/leads.schemas.ts'
import type { FieldProvenance } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone } from '../../records/fields/record.rules.ts'
import { addressFields, type EnrichableType, enrichableFields, isDerivedField } from './enrichable-fields.ts'

const schemas: Record<EnrichableType, Record<string, TSchema>> = {
  lead: LeadChanges.properties,
  contact: ContactChanges.properties,
  account: { ...AccountChanges.properties, ...Address.properties },
}

const urlFields = ['website', 'linkedin_url']

/** Returns the value as a user could have entered it, or undefined if it is not valid. */
export function normalizeEnrichedValue(type: EnrichableType, field: string, value: unknown): unknown {
  const normalized = typeof value === 'string' ? value.trim() : value
  if (normalized === null || !enrichableFields[type].includes(field) || !isStorable(normalized)) return undefined
  if (isDerivedField(type, field)) return typeof normalized === 'string' ? normalized.toLowerCase() : undefined
  const schema = schemas[type][field]
  if (!schema || !Value.Check(schema, normalized) || !isKnownPlace(field, normalized)) return undefined
  return urlFields.includes(field) && !isWebAddress(String(normalized)) ? undefined : normalized
}

function isKnownPlace(field: string, value: unknown): boolean {
  if (field !== 'country' && field !== 'timezone') return true
  try {
    assertValidCountryAndTimezone({ [field]: value })
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Rejects other schemes, because clients show the value as a link. */
const isWebAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) ? URL.canParse(text) : /^[\p{L}\d-]+(\.[\p{L}\d-]+)+([/?#]\S*)?$/u.test(text)

/** A user changes the address of an account as a whole, so the newer of both provenances counts. */
export function provenanceOfField(
  type: EnrichableType,
  field: string,
  provenance: ReadonlyMap<string, FieldProvenance>,
): FieldProvenance | null {
  const own = provenance.get(field) ?? null
  const whole = type === 'account' && addressFields.includes(field) ? provenance.get('address') : undefined
  return whole && (!own || whole.set_at > own.set_at) ? whole : own
}
