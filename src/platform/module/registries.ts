import type { Expression, SqlBool } from 'kysely'
import type { TObject, TProperties } from 'typebox'
import type { TenantTx } from '#platform/db'
import type { InputError } from '#platform/errors'

/** A search for inconsistent records, in one indexed statement. */
export type IntegrityCheck = {
  code: string
  title: string
  severity: 'warning' | 'error'
  hint: string
  find(tx: TenantTx, limit: number): Promise<string[]>
  repair?(tx: TenantTx, ids: string[]): Promise<number>
}

/** Creates sample data of a module and returns the records, so that exactly these can be removed again. */
export type SampleData = {
  name: string
  load(tx: TenantTx, seed: { random(): number; now: Date }): Promise<{ resource_type: string; id: string }[]>
}

export type ErasureSubject = { user_id: string } | { email: string }

/** Erases the personal data of a person in one module and returns the number of changed records. */
export type Erasure = { name: string; erase(tx: TenantTx, subject: ErasureSubject): Promise<number> }

export type SettingsSecret = {
  path: string
  /** Fields that decide where the secret is sent. Changing one deletes the secret, unless the request also sends it. */
  boundTo: readonly string[]
}

export type SettingsSection = {
  name: string
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

/** A condition beyond the fields of a record that a module adds to the rule language, such as an activity. */
export type RuleFact = {
  name: string
  objectTypes: readonly string[]
  params: TObject<TProperties>
  /** Checks the parameters against the workspace and returns those for `compile`; undefined after a reported problem. */
  resolve?(tx: TenantTx, params: never, report: ReportProblem): Promise<object | undefined>
  compile(params: never, record: RuleSubject): Expression<SqlBool>
}
