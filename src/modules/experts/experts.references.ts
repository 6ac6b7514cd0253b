import type { MergeReference } from '#platform/module'

export const expertReferences: MergeReference[] = [
  { column: 'enablement.expert_requests.account_id', to: 'account', followsMerge: true },
]
