import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the same month of two years can be compared. */
const viewRetentionDays = 761

export const libraryTables: Tables = {
  'enablement.content_items': {
    // An import must not bring HTML that this application did not render.
    export: { redact: ['body_html', 'renderer_version'] },
    clean: 'business',
    ownable: 'owner_id',
    audit_label: 'title',
  },
  'enablement.content_versions': { ...businessData, personal: ['note'] },
  'enablement.content_search_texts': businessData,
  'enablement.content_views': { ...businessData, purge_after: { column: 'started_at', days: viewRetentionDays } },
  'enablement.content_viewers': { ...businessData, personal: ['viewer_key'] },
  'enablement.content_daily_stats': businessData,
  'enablement.content_item_stats': businessData,
  'enablement.content_fold_states': { export: 'skip', clean: 'business' },
  'enablement.collections': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'enablement.collection_items': businessData,
  'enablement.content_search_misses': { ...businessData, personal: ['query_norm'] },
}
