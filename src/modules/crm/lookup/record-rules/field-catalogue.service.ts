import type { TenantTx } from '#platform/db'
import type { FieldCatalogue } from '#platform/rules'
import { opportunityFields } from '../../deals/opportunities/opportunity-fields.ts'
import { accountAlias, contactFields } from '../../people/contacts/contact-fields.ts'
import { leadFields } from '../../people/lead-records/lead-fields.ts'
import { readCustomCatalogue } from '../../records/custom-values/custom-catalogue.queries.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { accountFields } from '../../records/records/account-fields.ts'

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
