import type { Erasure } from '#platform/module'
import { deleteReadinessOf } from './readiness.queries.ts'

export const readinessErasure: Erasure = {
  name: 'enablement.readiness',
  erase: async (tx, subject) => ({
    counts: 'user_id' in subject ? await deleteReadinessOf(tx, subject.user_id) : {},
  }),
}
