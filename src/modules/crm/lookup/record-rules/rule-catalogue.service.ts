import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { accountAlias } from '../../people/contacts/contact-fields.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { fieldsOf } from './field-catalogue.service.ts'
import { describeFact, describeField } from './rule-catalogue.rules.ts'
import type { RuleCatalogue } from './rule-catalogue.schemas.ts'

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
