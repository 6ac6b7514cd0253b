import type { MergeReference } from '#platform/module'

/** In the global lock order. */
export const marketingReferences: MergeReference[] = [
  {
    ...{ column: 'marketing.campaign_members.lead_id', to: 'lead', followsMerge: true },
    ...{ rowKey: 'campaign_id', isUnique: true },
  },
  {
    ...{ column: 'marketing.campaign_members.contact_id', to: 'contact', followsMerge: true },
    ...{ rowKey: 'campaign_id', isUnique: true },
  },
]
