import { api, read, type Schemas } from '../../../api/client.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'

export type ContactRole = Schemas['DealContact']['role']

export const roleOptions = Object.entries(dealTexts.roles).map(([value, label]) => ({ value, label }))

/** Adds a contact, or changes its role if the deal already has it. */
export const setDealContact = (dealId: string, contact_id: string, role: ContactRole) =>
  read(
    api.POST('/api/opportunities/{opportunity_id}/contacts', {
      params: { path: { opportunity_id: dealId } },
      body: { contact_id, role },
    }),
  )

export const removeDealContact = (opportunity_id: string, contact_id: string) =>
  read(
    api.DELETE('/api/opportunities/{opportunity_id}/contacts/{contact_id}', {
      params: { path: { opportunity_id, contact_id } },
    }),
  )
