import { enrichableFields, enrichableTypes } from '#modules/crm'

export { enrichableTypes as entityTypes, Lead } from '#modules/crm'

export type EntityType = (typeof enrichableTypes)[number]

export const allEnrichableFields: string[] = [...new Set(enrichableTypes.flatMap((type) => enrichableFields[type]))]

export const readScopes = { lead: 'leads.read', contact: 'contacts.read', account: 'accounts.read' } as const
export const writeScopes = { lead: 'leads.write', contact: 'contacts.write', account: 'accounts.write' } as const
