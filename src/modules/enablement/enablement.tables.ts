import type { Tables } from '#platform/module'
import { roomTables } from './rooms/room-tables.ts'

const businessData = { export: 'full', clean: 'business' } as const
const derivedData = { export: 'full', clean: 'business' } as const
/** 25 months, so that the same month of two years can be compared. */
const viewRetentionDays = 761

export const enablementTables: Tables = {
  'enablement.content_items': { ...businessData, ownable: 'owner_id', audit_label: 'title' },
  'enablement.content_versions': { ...businessData, personal: ['note'] },
  'enablement.content_search_texts': derivedData,
  'enablement.content_views': { ...businessData, purge_after: { column: 'started_at', days: viewRetentionDays } },
  'enablement.content_viewers': { ...derivedData, personal: ['viewer_key'] },
  'enablement.content_daily_stats': derivedData,
  'enablement.content_item_stats': derivedData,
  'enablement.content_fold_states': { export: 'skip', clean: 'business' },
  'enablement.collections': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'enablement.collection_items': businessData,
  'enablement.content_search_misses': { ...businessData, personal: ['query_norm'] },
  ...roomTables,
}
