import type { TenantTx } from '#platform/db'
import type { FieldCatalogue } from '#platform/rules'
import { accountAlias, contactFields } from '../contacts/contact-fields.ts'
import { readCustomCatalogue } from '../custom-values/custom-catalogue.queries.ts'
import type { ObjectType } from '../custom-values/custom-values.schemas.ts'
import { leadFields } from '../lead-records/lead-fields.ts'
import { opportunityFields } from '../opportunities/opportunity-fields.ts'
import { accountFields } from '../records/account-fields.ts'

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
