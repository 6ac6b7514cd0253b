import { mentionsOf } from '#platform/erasure'
import { definePersonErasure } from '#platform/module'
import { eraseBulkChanges } from './bulk-changes.queries.ts'

/** An undo leaves these records as they are. */
export const bulkChangesErasure = definePersonErasure('crm.bulk_changes', async (tx, person, after) => {
  const [taskId, recordId] = after?.split(':') ?? []
  const position = taskId && recordId ? { taskId, recordId } : undefined
  const { erased, next } = await eraseBulkChanges(
    tx,
    [...person.lead_ids, ...person.contact_ids],
    mentionsOf(person),
    position,
  )
  return { counts: { 'crm.bulk_changes': erased }, ...(next && { next: `${next.taskId}:${next.recordId}` }) }
})
