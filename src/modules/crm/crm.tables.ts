import type { Tables } from '#platform/module'

const businessData = { export: 'full', clean: 'business' } as const
/** Deleted records can be restored for 30 days. */
const restorable = { column: 'deleted_at', days: 30, by: 'own_schedule' } as const

export const crmTables: Tables = {
  'crm.accounts': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: ['phone', 'notes'],
    purge_after: restorable,
  },
  'crm.contacts': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: [
      ...[
        'first_name',
        'last_name',
        'name_key',
        'email',
        'phone',
        'phone_e164',
        'title',
        'linkedin_url',
        'city',
        'notes',
      ],
      ...['custom', 'search_text'],
    ],
    purge_after: restorable,
  },
  'crm.pipelines': { export: 'full', clean: 'configuration', audit_label: 'name' },
  'crm.pipeline_stages': { export: 'full', clean: 'configuration' },
  'crm.opportunities': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: ['notes'],
    purge_after: restorable,
  },
  'crm.opportunity_contacts': businessData,
  'crm.opportunity_stage_history': businessData,
  'crm.lead_sources': { export: 'full', clean: 'configuration', audit_label: 'label' },
  'crm.lead_source_spend': { export: 'full', clean: 'business' },
  'crm.lead_scoring_configs': { export: 'full', clean: 'configuration' },
  'crm.leads': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: [
      ...[
        'first_name',
        'last_name',
        'name_key',
        'email',
        'phone',
        'phone_e164',
        'title',
        'website',
        'linkedin_url',
        'city',
      ],
      ...['utm', 'notes', 'custom', 'search_text'],
    ],
    purge_after: restorable,
  },
  'crm.lead_score_components': businessData,
  'crm.lead_score_history': businessData,
  'crm.lead_ai_results': { ...businessData, personal: ['result'] },
  'crm.lead_merges': { ...businessData, personal: ['snapshot'], purge_after: { column: 'created_at', days: 30 } },
  'crm.assignment_state': businessData,
  'crm.lead_assignments': businessData,
  'crm.activities': { ...businessData, audit_label: 'subject', personal: ['subject', 'body', 'meta'] },
  'crm.field_provenance': businessData,
  'crm.lifecycle_events': { ...businessData, personal: ['reason'] },
  'crm.record_tags': businessData,
  'crm.suppressions': { export: 'full', clean: 'never' },
  'crm.lead_rollups': { export: 'skip', clean: 'business' },
  'crm.lead_rollup_dirty': { export: 'skip', clean: 'business' },
}
