import { api, read, withKey } from '../../../api/client.ts'
import type { Intent } from '../../../api/intent.ts'
import { type Lead, refreshLeads, storeLead } from '../lead-queries.ts'

const textFields = ['email', 'first_name', 'last_name', 'company', 'title', 'phone', 'source'] as const

export type NewLeadValues = Record<(typeof textFields)[number] | 'owner', string>

export const noValues: NewLeadValues = {
  email: '',
  first_name: '',
  last_name: '',
  company: '',
  title: '',
  phone: '',
  source: '',
  owner: 'me',
}

/** The API requires one of these to recognize the person or the company. */
export const isEmptyLead = ({ email, phone, last_name, company }: NewLeadValues): boolean =>
  [email, phone, last_name, company].every((value) => value.trim() === '')

export async function createLead(values: NewLeadValues, userId: string, intent: Intent): Promise<Lead> {
  const filled = textFields.filter((field) => values[field].trim() !== '')
  const owners: Readonly<Record<string, { owner_id?: string | null }>> = {
    me: { owner_id: userId },
    none: { owner_id: null },
  }
  const body = { ...Object.fromEntries(filled.map((field) => [field, values[field].trim()])), ...owners[values.owner] }
  const lead = await read(api.POST('/api/leads/', { headers: withKey(intent.keyOf(body)), body }))
  intent.end()
  storeLead(lead)
  void refreshLeads()
  return lead
}
