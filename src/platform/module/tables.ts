import type { Database } from '#platform/db'

/** What becomes of a table when everything is exported, cleaned, handed over, erased or grows old. */
export type TableRules = {
  /** Whether its rows are part of a workspace's export, and which columns are blanked in it. */
  export: 'full' | 'skip' | { redact: string[] }
  /** Whether "clean all data" empties it: what people entered, how they set the workspace up, or never. */
  clean: 'business' | 'configuration' | 'never'
  /** The column that names the user who owns a record; it is what a reassignment changes. */
  ownable?: string
  /** The column the audit trail calls a record by. */
  audit_label?: string
  /** Columns that hold something about a person. */
  personal?: string[]
  /** Rows go some days after the instant in this column. A setting names the days where the workspace decides. */
  purge_after?: {
    column: string
    days: number | { setting: string }
    /** Who removes them: the nightly walk (unless said otherwise), the same with the rights of retention, or a schedule of their own. */
    by?: 'retention_role' | 'own_schedule'
  }
}

export type Tables = Partial<Record<keyof Database, TableRules>>

/** What the platform itself keeps for each tenant. */
export const platformTables: Tables = {
  'platform.ai_usage': { export: 'full', clean: 'never' },
  'platform.audit_log': {
    export: { redact: ['salt'] },
    clean: 'never',
    personal: ['resource_label', 'changes', 'ip', 'user_agent', 'reason'],
    purge_after: { column: 'id', days: { setting: 'retention.audit_log_days' }, by: 'own_schedule' },
  },
  'platform.audit_seals': { export: 'full', clean: 'never' },
  'platform.event_receipts': { export: 'skip', clean: 'never' },
  'platform.idempotency_keys': {
    export: 'skip',
    clean: 'never',
    personal: ['body'],
    purge_after: { column: 'created_at', days: 1, by: 'own_schedule' },
  },
  'platform.outbox_events': {
    export: 'skip',
    clean: 'never',
    personal: ['actor', 'data'],
    purge_after: { column: 'occurred_at', days: 7, by: 'own_schedule' },
  },
}

/** Without a tenant: nothing in them is a workspace's own. */
export const globalTables: ReadonlySet<keyof Database> = new Set([
  'platform.audit_sealing',
  'platform.partitioned_tables',
  'identity.tenants',
  'identity.tenant_slug_tombstones',
  'identity.operator_audit',
  'identity.auth_throttles',
] satisfies (keyof Database)[])
