import type { MergeReference } from '#platform/module'

type Target = MergeReference['to']

/** A record has at most one row per `rowKey`. */
const unique = (to: Target, column: string, rowKey: string): MergeReference => ({
  column: `marketing.${column}`,
  to,
  followsMerge: true,
  rowKey,
  isUnique: true,
})

/** The rows stay with the merged record: suggestions compare its values, and enrollments are moved by a subscriber. */
const history = (to: Target, column: string): MergeReference => ({
  column: `marketing.${column}`,
  to,
  followsMerge: false,
})

/** In the global lock order. */
export const marketingReferences: MergeReference[] = [
  history('lead', 'enrichment_suggestions.lead_id'),
  history('contact', 'enrichment_suggestions.contact_id'),
  history('account', 'enrichment_suggestions.account_id'),
  unique('lead', 'campaign_members.lead_id', 'campaign_id'),
  unique('contact', 'campaign_members.contact_id', 'campaign_id'),
  history('lead', 'cadence_enrollments.lead_id'),
  history('contact', 'cadence_enrollments.contact_id'),
  unique('lead', 'segment_members.lead_id', 'segment_id'),
  unique('lead', 'segment_flow_records.lead_id', 'flow_id'),
  unique('contact', 'segment_members.contact_id', 'segment_id'),
  unique('contact', 'segment_flow_records.contact_id', 'flow_id'),
  unique('account', 'segment_members.account_id', 'segment_id'),
  history('lead', 'enrichment_jobs.lead_id'),
  history('contact', 'enrichment_jobs.contact_id'),
  history('account', 'enrichment_jobs.account_id'),
]
