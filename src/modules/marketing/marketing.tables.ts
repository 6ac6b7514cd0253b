import { businessData, type Tables } from '#platform/module'

export const marketingTables: Tables = {
  'marketing.segments': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'marketing.segment_members': businessData,
  'marketing.segment_counts': { export: 'skip', clean: 'business' },
  'marketing.segment_references': businessData,
  'marketing.segment_flows': businessData,
  'marketing.segment_flow_records': businessData,
  'marketing.enrichment_jobs': { ...businessData, purge_after: { column: 'created_at', days: 365 } },
  'marketing.enrichment_suggestions': {
    ...businessData,
    audit_label: 'field',
    personal: ['current_value', 'suggested_value'],
  },
  'marketing.enrichment_usage': { export: 'full', clean: 'never' },
  'marketing.campaigns': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'marketing.campaign_members': { ...businessData, personal: ['note'] },
  'marketing.campaign_counts': { export: 'skip', clean: 'business' },
  'marketing.opportunity_touches': businessData,
  'marketing.attribution_marks': { export: 'skip', clean: 'business' },
}
