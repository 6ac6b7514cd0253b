import type { MergeReference } from '#platform/module'

/** In the global lock order. */
export const marketingReferences: MergeReference[] = []
