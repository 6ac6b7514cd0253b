import type { Tables } from '#platform/module'

export const identityTables: Tables = {
  'identity.tenant_settings': { export: 'full', clean: 'never' },
  'identity.tenant_secrets': {
    export: 'skip',
    clean: 'never',
    secrets: [{ ciphertext: 'ciphertext', kid: 'kid', row: 'name' }],
  },
  'identity.users': {
    export: 'full',
    clean: 'never',
    audit_label: 'name',
    personal: ['email', 'name', 'phone', 'title', 'avatar_url', 'search_text'],
  },
  'identity.user_credentials': { export: 'skip', clean: 'never' },
  'identity.user_presence': { export: 'full', clean: 'never' },
  'identity.user_preferences': { export: 'full', clean: 'never', personal: ['pinned', 'lists'] },
  'identity.user_identities': { export: 'full', clean: 'never', personal: ['email', 'subject'] },
  'identity.sessions': {
    export: 'skip',
    clean: 'never',
    personal: ['ip', 'user_agent'],
    purge_after: { column: 'expires_at', days: 7 },
  },
  'identity.refresh_tokens': { export: 'skip', clean: 'never', purge_after: { column: 'expires_at', days: 7 } },
  'identity.one_time_tokens': { export: 'skip', clean: 'never', purge_after: { column: 'expires_at', days: 7 } },
  'identity.sso_flows': { export: 'skip', clean: 'never', purge_after: { column: 'expires_at', days: 7 } },
  'identity.login_events': {
    export: { redact: ['email_hash'] },
    clean: 'never',
    personal: ['email_hash', 'ip', 'user_agent'],
    purge_after: { column: 'id', days: { setting: 'retention.login_history_days' }, by: 'retention_role' },
  },
  'identity.teams': { export: 'full', clean: 'never', audit_label: 'name' },
  'identity.team_members': { export: 'full', clean: 'never' },
  'identity.connected_apps': { export: 'full', clean: 'never', audit_label: 'name' },
  'identity.api_keys': { export: { redact: ['key_hash'] }, clean: 'never', audit_label: 'name' },
}
