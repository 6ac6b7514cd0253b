import type { MergeReference } from '#platform/module'

const reference = (to: MergeReference['to'], column: string): MergeReference => ({
  column: `plg.${column}`,
  to,
  followsMerge: true,
  ...(to !== 'account' && { isAfterConsent: true }),
})

export const plgReferences: MergeReference[] = [
  reference('lead', 'actors.lead_id'),
  reference('lead', 'qualifications.created_lead_id'),
  reference('lead', 'qualifications.scored_lead_id'),
  { ...reference('lead', 'qualification_leads.lead_id'), rowKey: 'qualification_id', isUnique: true },
  reference('contact', 'actors.contact_id'),
  reference('account', 'actors.account_id'),
]
