import type { MergeReference } from '#platform/module'

const members = { rowKey: 'segment_id', isUnique: true, followsMerge: true } as const
const flowRecords = { rowKey: 'flow_id', isUnique: true, followsMerge: true } as const

/** In the global lock order. */
export const marketingReferences: MergeReference[] = [
  { column: 'marketing.segment_members.lead_id', to: 'lead', ...members },
  { column: 'marketing.segment_flow_records.lead_id', to: 'lead', ...flowRecords },
  { column: 'marketing.segment_members.contact_id', to: 'contact', ...members },
  { column: 'marketing.segment_flow_records.contact_id', to: 'contact', ...flowRecords },
  { column: 'marketing.segment_members.account_id', to: 'account', ...members },
]
