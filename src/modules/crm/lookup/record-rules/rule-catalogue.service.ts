import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import type { FieldCatalogue } from '#platform/rules'
import { opportunityFields } from '../../deals/opportunities/opportunity-fields.ts'
import { accountAlias, contactFields } from '../../people/contacts/contact-values.ts'
import { leadFields } from '../../people/lead-records/lead-fields.ts'
import { readCustomCatalogue } from '../../records/custom-values/custom-catalogue.queries.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { accountFields } from '../../records/fields/account-fields.ts'
import { describeFact, describeField } from './rule-catalogue.rules.ts'
import type { RuleCatalogue } from './rule-catalogue.schemas.ts'

const standardFields: Record<ObjectType, FieldCatalogue> = {
  lead: leadFields,
  contact: contactFields,
  account: accountFields,
  opportunity: opportunityFields,
}

export async function fieldsOf(tx: TenantTx, objectType: ObjectType): Promise<FieldCatalogue> {
  const own = { ...standardFields[objectType], ...(await readCustomCatalogue(tx, objectType)) }
  if (objectType !== 'contact') return own
  const ofAccount = Object.entries(await readCustomCatalogue(tx, 'account')).map(([key, field]) => [
    `${accountAlias}.${key}`,
    { ...field, joinAlias: accountAlias },
  ])
  return { ...own, ...Object.fromEntries(ofAccount) }
}

/** Describes the vocabulary that `parseRecordRule` accepts. */
export async function getRuleCatalogue(
  tx: TenantTx,
  objectType: ObjectType,
  { registry }: Pick<Services, 'registry'>,
): Promise<RuleCatalogue> {
  const fields = await fieldsOf(tx, objectType)
  const definitions = new Map<string, CustomFieldRow>()
  for (const field of await listFieldsOf(tx, objectType)) definitions.set(`custom.${field.key}`, field)
  if (objectType === 'contact')
    for (const field of await listFieldsOf(tx, 'account')) definitions.set(`${accountAlias}.custom.${field.key}`, field)
  return {
    fields: Object.entries(fields).map(([key, field]) => describeField(key, field, definitions.get(key))),
    facts: registry.ruleFacts.filter(({ objectTypes }) => objectTypes.includes(objectType)).map(describeFact),
  }
}
