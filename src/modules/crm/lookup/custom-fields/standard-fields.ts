import { type FieldCatalogue, operatorsOf, toFieldLabel } from '#platform/rules'
import {
  NewOpportunity,
  OpportunityChanges,
  OpportunityQuery,
} from '../../deals/opportunities/opportunities.schemas.ts'
import { opportunityFields } from '../../deals/opportunities/opportunity-fields.ts'
import { AccountChanges, AccountQuery, NewAccount } from '../../people/accounts/accounts.schemas.ts'
import { contactFields } from '../../people/contacts/contact-values.ts'
import { ContactChanges, ContactQuery, NewContact } from '../../people/contacts/contacts.schemas.ts'
import { leadFields } from '../../people/lead-records/lead-fields.ts'
import { LeadChanges, LeadQuery, NewLead } from '../../people/lead-records/leads.schemas.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { accountFields } from '../../records/fields/account-fields.ts'
import type { StandardField } from './custom-fields.schemas.ts'

type ObjectSchema = { properties: object; required?: readonly string[] }
type StandardSource = { fields: FieldCatalogue; create: ObjectSchema; update: ObjectSchema; sorts: readonly string[] }

const sources: Record<ObjectType, StandardSource> = {
  lead: { fields: leadFields, create: NewLead, update: LeadChanges, sorts: LeadQuery.properties.sort.enum },
  contact: {
    fields: contactFields,
    create: NewContact,
    update: ContactChanges,
    sorts: ContactQuery.properties.sort_by.enum,
  },
  account: {
    fields: accountFields,
    create: NewAccount,
    update: AccountChanges,
    sorts: AccountQuery.properties.sort.enum,
  },
  opportunity: {
    fields: opportunityFields,
    create: NewOpportunity,
    update: OpportunityChanges,
    sorts: OpportunityQuery.properties.sort.enum,
  },
}

export function listStandardFields(objectType: ObjectType): { items: StandardField[]; total: number } {
  const { fields, create, update, sorts } = sources[objectType]
  const items = Object.entries(fields).map(([key, field]): StandardField => {
    const property = key.split('.', 1)[0]!
    return {
      key,
      label: toFieldLabel(key),
      type: field.type,
      is_writable: property in create.properties || property in update.properties,
      is_required: create.required?.includes(key) ?? false,
      is_filterable: true,
      is_sortable: sorts.includes(key) || sorts.includes(`-${key}`),
      operators: [...operatorsOf[field.type]],
      ...('options' in field && field.options && { options: [...field.options] }),
    }
  })
  return { items, total: items.length }
}

/** A custom field with the key of a property of the record would be ambiguous in imports and templates. */
export const isStandardKey = (objectType: ObjectType, key: string): boolean => {
  const { fields, create, update } = sources[objectType]
  return key in fields || key in create.properties || key in update.properties || ['id', 'version'].includes(key)
}
