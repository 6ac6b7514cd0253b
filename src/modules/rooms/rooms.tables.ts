import { businessData, type Tables } from '#platform/module'

const linkSecrets = ['token_hash', 'token_kid', 'token_cipher', 'password_hash']

export const roomTables: Tables = {
  'enablement.rooms': {
    export: { redact: ['welcome_html', 'renderer_version'] },
    clean: 'business',
    ownable: 'owner_id',
    audit_label: 'name',
  },
  'enablement.room_collaborators': businessData,
  'enablement.room_sections': businessData,
  'enablement.room_items': {
    export: { redact: ['body_html', 'renderer_version'] },
    clean: 'business',
    audit_label: 'title',
  },
  'enablement.room_links': {
    export: { redact: linkSecrets, seal: linkSecrets },
    clean: 'business',
    audit_label: 'label',
    personal: ['recipient_email', 'allowed', 'blocked'],
    secrets: [{ ciphertext: 'token_cipher', kid: 'token_kid', row: 'id' }],
  },
  'enablement.room_plan_steps': {
    ...businessData,
    audit_label: 'title',
    personal: ['assignee_name', 'assignee_email', 'completed_by'],
  },
  'enablement.room_visitors': { ...businessData, personal: ['email', 'name'] },
  'enablement.room_visits': businessData,
  'enablement.room_codes': {
    export: 'skip',
    clean: 'business',
    personal: ['email_key'],
    purge_after: { column: 'expires_at', days: 1 },
  },
  'enablement.room_previews': {
    export: 'skip',
    clean: 'business',
    purge_after: { column: 'created_at', days: 1 },
  },
  'enablement.room_daily_stats': businessData,
  'enablement.room_fold_positions': { export: 'skip', clean: 'business' },
}
