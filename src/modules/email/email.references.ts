import type { MergeReference } from '#platform/module'

const reference = (to: MergeReference['to'], column: string): MergeReference => ({
  column: `crm.email_messages.${column}`,
  to,
  followsMerge: true,
  isAfterConsent: true,
})

export const emailReferences: MergeReference[] = [reference('lead', 'lead_id'), reference('contact', 'contact_id')]
