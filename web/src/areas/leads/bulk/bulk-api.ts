import { api, read, type Schemas } from '../../../api/client.ts'
import type { toListFilters } from '../list-query.ts'
import type { BulkResponse } from './bulk-results.ts'

export type BulkRequest = Schemas['BulkUpdateLeadsRequest']
export type BulkAction = Pick<BulkRequest, 'action' | 'params'>

/** Single leads, or all that match the filters of the list. */
export type BulkSelection =
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'matching'; filters: ReturnType<typeof toListFilters>; count: number }

export const runBulkAction = ({ action, params }: BulkAction, selection: BulkSelection): Promise<BulkResponse> =>
  read(api.POST('/api/leads/bulk', { body: { action, params, ...toSelection(selection) } }))

function toSelection(selection: BulkSelection): Pick<BulkRequest, 'lead_ids' | 'query' | 'filter' | 'expected_count'> {
  if (selection.kind === 'ids') return { lead_ids: [...selection.ids] }
  const { query, filter } = selection.filters
  return { query, ...(filter && { filter }), expected_count: selection.count }
}
