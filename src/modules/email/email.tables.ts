import { businessData, type Tables } from '#platform/module'

export const emailTables: Tables = {
  'crm.email_messages': {
    ...businessData,
    export: { redact: ['unsubscribe_token_hash'], seal: ['unsubscribe_token_hash'] },
    personal: ['to_address', 'to_key', 'to_name', 'subject', 'body_text', 'body_html'],
    purge_after: { column: 'id', days: 365 },
  },
  'crm.email_send_counters': { export: 'full', clean: 'never', purge_after: { column: 'day', days: 30 } },
  'crm.email_address_counters': { export: 'full', clean: 'never', purge_after: { column: 'day', days: 30 } },
  'crm.email_events': { ...businessData, purge_after: { column: 'id', days: 90 } },
}
