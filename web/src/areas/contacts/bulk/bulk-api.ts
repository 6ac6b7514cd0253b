import { api, read, type Schemas } from '../../../api/client.ts'
import { contactKind } from '../../../patterns/list/bulk/bulk-kind.ts'
import type { BulkDefinition, BulkSelection } from '../../../patterns/list/bulk/use-bulk.ts'
import { contactBulkTexts as texts } from '../../../texts/en/contact-bulk-texts.ts'
import type { toListFilters } from '../list-query.ts'
import { type BulkAction, describeAction } from './describe-action.ts'

type BulkRequest = Schemas['BulkUpdateContactsRequest']
type Filters = ReturnType<typeof toListFilters>

export const contactBulk: BulkDefinition<BulkAction, Filters> = {
  kind: contactKind,
  run: ({ action, params }, selection) =>
    read(api.POST('/api/contacts/bulk', { body: { action, params, ...toSelection(selection) } })),
  describe: describeAction,
  restore: { action: 'restore' },
  warn: ({ action }) => (action === 'opt_out' ? texts.optOutWarning : undefined),
}

const toSelection = (
  selection: BulkSelection<Filters>,
): Pick<BulkRequest, 'contact_ids' | 'query' | 'expected_count'> =>
  selection.kind === 'ids'
    ? { contact_ids: [...selection.ids] }
    : { query: selection.filters, expected_count: selection.count }
