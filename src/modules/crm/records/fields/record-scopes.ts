export const readScopes = {
  lead: 'leads.read',
  contact: 'contacts.read',
  account: 'accounts.read',
  opportunity: 'opportunities.read',
} as const

export const writeScopes = {
  lead: 'leads.write',
  contact: 'contacts.write',
  account: 'accounts.write',
  opportunity: 'opportunities.write',
} as const
