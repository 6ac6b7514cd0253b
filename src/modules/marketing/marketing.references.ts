import type { MergeReference } from '#platform/module'

const history = (to: MergeReference['to'], column: string): MergeReference => ({
  ...{ column: `marketing.${column}`, to, followsMerge: false },
})

/** In the global lock order. Suggestions compare values of the merged record, so they stay with it. */
export const marketingReferences: MergeReference[] = [
  history('lead', 'enrichment_suggestions.lead_id'),
  history('contact', 'enrichment_suggestions.contact_id'),
  history('account', 'enrichment_suggestions.account_id'),
  history('lead', 'enrichment_jobs.lead_id'),
  history('contact', 'enrichment_jobs.contact_id'),
  history('account', 'enrichment_jobs.account_id'),
]
