import { lockContactsIncludingDeleted } from '../../people/contacts/contacts.queries.ts'
import { parseContactFilter } from '../../people/contacts/list-contacts.service.ts'
import { defineBulkKind } from '../bulk/bulk-kind.ts'
import { listMatchingContactIds } from './contact-bulk.queries.ts'

export const contactBulk = defineBulkKind({
  type: 'contact',
  filters: ['query'],
  async listMatchingIds(tx, actor, { query = {} }, limit, services) {
    return await listMatchingContactIds(tx, await parseContactFilter(tx, actor, query, services), limit)
  },
  lockValues: lockContactsIncludingDeleted,
})

export const contactBulkActionPoint = contactBulk.actionPoint
