import { businessData, type Tables } from '#platform/module'

/** Roll-ups are exported too, because raw events are deleted earlier. */
export const plgTables: Tables = {
  'plg.states': businessData,
  'plg.actors': { ...businessData, audit_label: 'ref', personal: ['ref', 'name', 'email'] },
  'plg.actor_texts': { export: 'full', clean: 'business', personal: ['search_text'] },
  'plg.events': {
    ...businessData,
    personal: ['properties'],
    purge_after: { column: 'occurred_at', days: { setting: 'retention.plg_event_days' }, by: 'own_schedule' },
  },
  'plg.event_keys': { export: 'full', clean: 'business', purge_after: { column: 'received_at', days: 45 } },
  'plg.event_names': businessData,
  'plg.event_days': businessData,
  'plg.actor_days': businessData,
  'plg.active_days': businessData,
  'plg.actor_periods': businessData,
  'plg.first_days': businessData,
  'plg.actor_event_days': businessData,
  'plg.usage_months': { export: 'full', clean: 'never' },
  'plg.actor_marks': { export: 'skip', clean: 'business' },
  'plg.qualifications': businessData,
  'plg.qualification_leads': businessData,
}
