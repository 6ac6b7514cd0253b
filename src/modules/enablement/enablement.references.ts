import type { MergeReference } from '#platform/module'

/** In the global lock order. */
export const enablementReferences: MergeReference[] = [
  { column: 'enablement.content_views.account_id', to: 'account', followsMerge: true },
]
