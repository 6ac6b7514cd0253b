import { api, read, type Schemas } from '../../../api/client.ts'
import { leadKind } from '../../../patterns/list/bulk/bulk-kind.ts'
import type { BulkDefinition, BulkSelection } from '../../../patterns/list/bulk/use-bulk.ts'
import type { toListFilters } from '../list-query.ts'
import { type BulkAction, describeAction } from './describe-action.ts'

type BulkRequest = Schemas['BulkUpdateLeadsRequest']
type Filters = ReturnType<typeof toListFilters>

export const leadBulk: BulkDefinition<BulkAction, Filters> = {
  kind: leadKind,
  run: ({ action, params }, selection) =>
    read(api.POST('/api/leads/bulk', { body: { action, params, ...toSelection(selection) } })),
  describe: describeAction,
  restore: { action: 'restore' },
}

function toSelection(
  selection: BulkSelection<Filters>,
): Pick<BulkRequest, 'lead_ids' | 'query' | 'filter' | 'expected_count'> {
  if (selection.kind === 'ids') return { lead_ids: [...selection.ids] }
  const { query, filter } = selection.filters
  return { query, ...(filter && { filter }), expected_count: selection.count }
}
