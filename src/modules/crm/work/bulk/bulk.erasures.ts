import { mentionsOf } from '#platform/erasure'
import { definePersonErasure } from '#platform/module'
import { eraseBulkChanges } from './bulk-changes.queries.ts'

/** An undo leaves these leads as they are. */
export const bulkChangesErasure = definePersonErasure('crm.bulk_changes', async (tx, person, after) => {
  const [taskId, leadId] = after?.split(':') ?? []
  const position = taskId && leadId ? { taskId, leadId } : undefined
  const { erased, next } = await eraseBulkChanges(tx, person.lead_ids, mentionsOf(person), position)
  return { counts: { 'crm.bulk_changes': erased }, ...(next && { next: `${next.taskId}:${next.leadId}` }) }
})
