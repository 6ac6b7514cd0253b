import type { Tables } from '#platform/module'

const kept = { export: 'full', clean: 'business' } as const
/** Deleted records can be brought back for so many days. */
const restorable = { column: 'deleted_at', days: 30, by: 'own_schedule' } as const

/** What becomes of the tables of the CRM when everything is exported, cleaned, handed over, erased or grows old. */
export const crmTables: Tables = {
  'crm.accounts': {
    ...kept,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: ['phone', 'notes'],
    purge_after: restorable,
  },
  'crm.contacts': {
    ...kept,
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
    ...kept,
    ownable: 'owner_id',
    audit_label: 'name',
    personal: ['notes'],
    purge_after: restorable,
  },
  'crm.opportunity_contacts': kept,
  'crm.opportunity_stage_history': kept,
  'crm.lead_sources': { export: 'full', clean: 'configuration', audit_label: 'label' },
  'crm.lead_source_spend': { export: 'full', clean: 'business' },
  'crm.lead_scoring_configs': { export: 'full', clean: 'configuration' },
  'crm.leads': {
    ...kept,
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
  'crm.lead_score_components': kept,
  'crm.lead_score_history': kept,
  'crm.lead_ai_results': { ...kept, personal: ['result'] },
  'crm.lead_merges': { ...kept, personal: ['snapshot'], purge_after: { column: 'created_at', days: 30 } },
  'crm.assignment_state': kept,
  'crm.lead_assignments': kept,
  'crm.activities': { ...kept, audit_label: 'subject', personal: ['subject', 'body', 'meta'] },
  'crm.field_provenance': kept,
  'crm.lifecycle_events': { ...kept, personal: ['reason'] },
  'crm.record_tags': kept,
  'crm.suppressions': { export: 'full', clean: 'never' },
  'crm.lead_rollups': { export: 'skip', clean: 'business' },
  'crm.lead_rollup_dirty': { export: 'skip', clean: 'business' },
}
