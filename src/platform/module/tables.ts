import type { Database } from '#platform/db'

/** Declares how export, data cleaning, reassignment, erasure and retention handle a table. */
export type TableRules = {
  /**
   * Whether its rows are part of a workspace export, and which columns are redacted. URLs are exported without their query,
   * because it may contain a token. Sealed columns are redacted ones that are exported encrypted; only a restore into the same
   * workspace reads them.
   */
  export: 'full' | 'skip' | { redact: string[]; urls?: string[]; seal?: string[] }
  /** Rows that an export encrypts as a whole, without their number. They do not exist for admins. */
  seal_rows?: SealedRows
  /** Tables whose rows an import inserts first, because triggers read them or write to this table. */
  import_after?: string[]
  /** Whether "clean all data" empties it: business data, configuration, or never. */
  clean: 'business' | 'configuration' | 'never'
  /** Rows that jobs also write in an empty workspace. They do not prevent a restore, which replaces them. */
  derived?: true
  /** Column with the id of the owner, which a reassignment changes. */
  ownable?: string
  audit_label?: string
  personal?: string[]
  /** Columns with values that are encrypted with SECRETS_KEYS. No other column can be encrypted. */
  secrets?: readonly SecretColumns[]
  /** Rows are purged this many days after the timestamp in `column`; `setting` refers to a workspace setting. */
  purge_after?: {
    column: string
    days: number | { setting: string }
    /** Names the job that purges them: the nightly retention job (default), the same job with the retention role, or another schedule. */
    by?: 'retention_role' | 'own_schedule'
  }
}

/** A secret has two columns, and its location contains the value of `row`; `location` names the column if it is another one. */
export type SecretColumns = { ciphertext: string; kid: string; row: string; location?: string }

export type SealedRows = {
  /** Values that the columns of these rows have, or with `parent` those of the row of another table that `key` refers to. */
  when: Readonly<Record<string, boolean | string>>
  parent?: { table: keyof Database; key: string }
  /** Files of the purpose are sealed with their thumbnails, except those that `column` of a readable row refers to. */
  files?: { purpose: string; column: string }
}

export type Tables = Partial<Record<keyof Database, TableRules>>

/** Rules of a table whose rows are exported and cleaned with the records of a workspace. */
export const businessData = { export: 'full', clean: 'business' } as const

export const platformTables: Tables = {
  'platform.ai_usage': { export: 'full', clean: 'never' },
  'platform.audit_log': {
    export: { redact: ['salt'] },
    clean: 'never',
    personal: ['resource_label', 'changes', 'ip', 'user_agent', 'reason'],
    purge_after: { column: 'id', days: { setting: 'retention.audit_log_days' }, by: 'own_schedule' },
  },
  'platform.audit_seals': { export: 'full', clean: 'never' },
  'platform.event_consumer_tenants': { export: 'skip', clean: 'never' },
  'platform.event_receipts': { export: 'skip', clean: 'never' },
  'platform.file_usage': { export: 'skip', clean: 'never' },
  'platform.files': {
    export: 'full',
    clean: 'business',
    audit_label: 'filename',
    personal: ['filename'],
    purge_after: { column: 'delete_after', days: 0, by: 'own_schedule' },
  },
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
  'platform.slow_statements': { export: 'skip', clean: 'never', purge_after: { column: 'occurred_at', days: 7 } },
  'platform.tenant_usage': { export: 'full', clean: 'never', purge_after: { column: 'hour', days: 90 } },
}

export const globalTables: ReadonlySet<keyof Database> = new Set([
  'platform.audit_sealing',
  'platform.event_consumers',
  'platform.partitioned_tables',
  'platform.schedule_positions',
  'platform.schema_compatibility',
  'identity.tenants',
  'identity.tenant_slug_tombstones',
  'identity.operator_audit',
  'identity.auth_throttles',
] satisfies (keyof Database)[])
