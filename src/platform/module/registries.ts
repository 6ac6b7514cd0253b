import type { Expression, SqlBool } from 'kysely'
import type { TObject, TProperties } from 'typebox'
import type { TenantTx } from '#platform/db'
import type { InputError } from '#platform/errors'

export type RecordReference = { resource_type: string; id: string }

export type IntegrityRun = {
  tenantId: string
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  signal: AbortSignal
}

/** A search for inconsistent records. Several modules may contribute to the same code. */
export type IntegrityCheck = {
  code: string
  title: string
  severity: 'warning' | 'error'
  hint: string
  find(run: IntegrityRun, limit: number): Promise<RecordReference[]>
  /** Returns the number of corrected records. Checks them again, because they may have changed since they were found. */
  repair?(run: IntegrityRun, found: readonly RecordReference[]): Promise<number>
}

type RecordCheck = Pick<IntegrityCheck, 'code' | 'title' | 'severity' | 'hint'> & {
  resourceType: string
  find(tx: TenantTx, limit: number): Promise<string[]>
  repair?(tx: TenantTx, ids: string[]): Promise<number>
}

/** Defines a check of one kind of record, found in one transaction and repaired in another. */
export function defineRecordCheck({ resourceType, find, repair, ...rest }: RecordCheck): IntegrityCheck {
  return {
    ...rest,
    async find({ inTenant }, limit) {
      const ids = await inTenant((tx) => find(tx, limit))
      return ids.map((id) => ({ resource_type: resourceType, id }))
    },
    ...(repair && {
      repair: ({ inTenant }, found) =>
        inTenant((tx) =>
          repair(
            tx,
            found.map(({ id }) => id),
          ),
        ),
    }),
  }
}

/** A person who is not a user, with all leads and contacts of the person, deleted and merged ones included. */
export type ErasedPerson = {
  lead_ids: readonly string[]
  contact_ids: readonly string[]
  email_keys: readonly string[]
  phones: readonly string[]
  names: readonly string[]
  /** Keyed hashes of the email addresses and phone numbers, under which consent is stored. */
  subject_hashes: readonly Buffer[]
  /** Records that stay; only mentions of the person are erased from their texts. */
  account_ids: readonly string[]
  opportunity_ids: readonly string[]
}

export type ErasureSubject = { user_id: string } | ErasedPerson

/** `counts` has the number of changed rows per table. With `next`, the erasure continues there in another transaction. */
export type ErasureBatch = { counts: Record<string, number>; next?: string }

/** Erases the personal data of a subject in one module. Runs in a job, may run again, and then finds nothing. */
export type Erasure = {
  name: string
  /** Runs with the database role of the system, inside the tenant. */
  requiresSystemRole?: true
  erase(tx: TenantTx, subject: ErasureSubject, after?: string): Promise<ErasureBatch>
}

export type SettingsSecret = {
  path: string
  /** Fields that decide where the secret is sent. Changing one deletes the secret, unless the request also sends it. */
  boundTo: readonly string[]
}

/** A section of settings, or a part of one: several modules may register parts with the same name and different fields. */
export type SettingsSection = {
  name: string
  /** Place of a part among the parts of its section, in documents and responses. */
  position?: number
  schema: TObject<TProperties>
  secrets?: readonly SettingsSecret[]
  isSensitive?: boolean
  /** Checks that span several fields; paths are relative to the section. */
  problemsIn?(tx: TenantTx, settings: Record<string, unknown>): Promise<Omit<InputError, 'in'>[]>
}

export type RuleSubject = {
  alias: string
  id: Expression<string>
  objectType: string
  now: Date
  timezone: string
  me: string | null
}

type ReportProblem = (pointer: string, code: string, message: string) => undefined

export type RuleProblem = Omit<InputError, 'in'>

/** The rule that a fact stands for; it replaces the fact. */
export type NestedRule = { nestedRule: object }

/** The rule that contains a fact, for facts that refer to other rules. */
export type FactScope = {
  objectType: string
  /** Ids of the records whose rules are nested around the fact, outermost first. */
  within: readonly string[]
  /** Parses the rule of the record with this id and resolves its facts. */
  nest(id: string, rule: unknown): Promise<NestedRule | { problems: RuleProblem[] }>
}

export type RuleRecords = {
  /** A statement that selects `record_id`, never null and possibly repeated. */
  records: Expression<unknown>
  /** False if other records can be among them; then the row form is checked too. */
  isExact: boolean
}

/** A condition beyond the fields of a record that a module adds to the rule language, such as an activity. */
export type RuleFact = {
  name: string
  objectTypes: readonly string[]
  params: TObject<TProperties>
  /** Checks the parameters against the workspace and returns those for `compile`; undefined after a reported problem. */
  resolve?(tx: TenantTx, params: never, report: ReportProblem, scope: FactScope): Promise<object | undefined>
  compile(params: never, record: RuleSubject): Expression<SqlBool>
  /** The set form: all records that satisfy the fact, without sorting or grouping. Undefined if records without rows do so too. */
  select?(params: never, context: Omit<RuleSubject, 'alias' | 'id'>): RuleRecords | undefined
}

export type MergeReference = {
  /** Schema, table and column, such as `surveys.responses.lead_id`. */
  column: string
  to: 'lead' | 'contact' | 'account'
  /** True if a merge points the rows to the surviving record and its undo points them back. History of the merged record stays. */
  followsMerge: boolean
  /** The column that identifies a row among those of one record; `id` unless set. */
  rowKey?: string
  /** A record has at most one row per `rowKey`: rows that the surviving record already has stay. */
  isUnique?: boolean
  /** The rows come after the consent of persons in the lock order. */
  isAfterConsent?: true
}
