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
  'marketing.cadences': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'marketing.cadence_steps': businessData,
  'marketing.cadence_enrollments': { ...businessData, personal: ['person_email_key'] },
  'marketing.cadence_step_runs': { ...businessData, personal: ['subject', 'body'] },
  'marketing.cadence_counts': businessData,
  'marketing.cadence_send_counts': { export: 'skip', clean: 'business', purge_after: { column: 'day', days: 30 } },
  'marketing.cadence_senders': { ...businessData, personal: ['signature'] },
}
