import type { MergeReference } from '#platform/module'

const reference = (
  to: MergeReference['to'],
  column: string,
  options: Partial<MergeReference> = {},
): MergeReference => ({ column: `crm.${column}`, to, followsMerge: true, ...options })

const history = { followsMerge: false }

/** In the global lock order. */
export const crmReferences: MergeReference[] = [
  reference('lead', 'leads.merged_into_id'),
  reference('lead', 'opportunities.lead_id'),
  reference('lead', 'contacts.lead_id'),
  reference('lead', 'activities.lead_id'),
  reference('lead', 'bulk_changes.lead_id', history),
  reference('lead', 'lead_ai_results.lead_id'),
  reference('lead', 'lead_assignments.lead_id', history),
  reference('lead', 'lead_durations.lead_id', history),
  reference('lead', 'lead_merges.primary_id', history),
  reference('lead', 'lead_score_components.lead_id', { rowKey: 'key', isUnique: true }),
  reference('lead', 'lead_score_history.lead_id', history),
  reference('lead', 'lifecycle_events.lead_id', history),
  reference('contact', 'leads.converted_contact_id'),
  reference('contact', 'opportunities.primary_contact_id'),
  reference('contact', 'opportunity_contacts.contact_id', { rowKey: 'opportunity_id', isUnique: true }),
  reference('contact', 'contacts.merged_into_id'),
  reference('contact', 'activities.contact_id'),
  reference('contact', 'bulk_changes.contact_id', history),
  reference('contact', 'lifecycle_events.contact_id'),
  reference('account', 'leads.converted_account_id'),
  reference('account', 'opportunities.account_id'),
  reference('account', 'accounts.parent_account_id'),
  reference('account', 'contacts.account_id'),
  reference('account', 'activities.account_id'),
]
