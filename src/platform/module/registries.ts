import type { Expression, SqlBool } from 'kysely'
import type { TObject, TProperties } from 'typebox'
import type { Resource, Scope, SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { AppError, InputError } from '#platform/errors'

/** Something that must not be found. It is one indexed statement. */
export type IntegrityCheck = {
  code: string
  title: string
  severity: 'warning' | 'error'
  hint: string
  /** The ids of at most `limit` records that are wrong. */
  find(tx: TenantTx, limit: number): Promise<string[]>
  /** Puts them right, and tells how many. */
  repair?(tx: TenantTx, ids: string[]): Promise<number>
}

/** A module's share of the sample data. It returns what it made, so that exactly that can be removed again. */
export type SampleData = {
  name: string
  load(tx: TenantTx, seed: { random(): number; now: Date }): Promise<{ resource_type: string; id: string }[]>
}

/** Whom to forget: a user of the workspace, or a person by address. */
export type Forgotten = { user_id: string } | { email: string }

/** A module's share of erasing somebody. It tells how many records it changed. */
export type Erasure = { name: string; erase(tx: TenantTx, forgotten: Forgotten): Promise<number> }

/** One section of the settings document. Defaults stand in the schema. */
export type SettingsSection = {
  name: string
  schema: TObject<TProperties>
  /** Fields that are written and never read back. */
  secrets?: string[]
  /** Needs a fresh login to change. */
  isSensitive?: boolean
  /** What is wrong with it although each of its fields is well formed, pointed at from the section itself. */
  problemsIn?(tx: TenantTx, settings: Record<string, unknown>): Promise<Omit<InputError, 'in'>[]>
}

/** A part of a user's profile that another module knows. It is null for a viewer without the scope. */
export type ProfilePart = {
  name: string
  scope: Scope
  load(tx: TenantTx, viewer: SignedIn, userId: string, period: { from: Date; to: Date }): Promise<unknown>
}

/** What somebody's deals of a period are worth, in minor units of the workspace's currency. */
export type ForecastFigures = { open_minor: number; weighted_minor: number; won_minor: number; open_count: number }

/** Where figures come from: one grouped query for all people of a page. Whoever is not in the answer has nothing open or won. */
export type ForecastSource = {
  scope: Scope
  load(
    tx: TenantTx,
    viewer: SignedIn,
    userIds: string[],
    period: { start_on: string; end_on: string },
  ): Promise<Map<string, ForecastFigures>>
}

/** The record a rule is asked of, while a statement is written: how it is called there, and who asks, when and where. */
export type FactSubject = {
  alias: string
  id: Expression<string>
  objectType: string
  now: Date
  timezone: string
  me: string | null
}

/** Something a module lets rules ask of a record beyond its fields, such as what happened to it. */
export type RuleFact = {
  name: string
  /** The kinds of record it can be asked of. */
  objectTypes: readonly string[]
  /** What may stand beside its name in a rule. */
  params: TObject<TProperties>
  /** The condition in SQL: it exists, or there are so many of it. */
  compile(params: never, record: FactSubject): Expression<SqlBool>
}

/** Something that can be done to many records at once, to each for itself. */
export type BulkAction = {
  resource: Resource
  name: string
  /** What may stand in its params. */
  takes: readonly string[]
  /** Needed beyond the scope of changing such records. */
  scope?: Scope
  /** Refuses the whole call when its params make no sense. */
  assertParams?(tx: TenantTx, params: never): Promise<void>
  /** One record, which the transaction has locked. False when there was nothing to change. A refusal is the outcome of this record alone. */
  apply(tx: TenantTx, id: string, params: never, by: { actor: SignedIn; now: Date }): Promise<boolean>
  /**
   * Many such records in few statements, each with the outcome it would have by itself, in their order. If it throws a refusal
   * instead, it is undone and they are done one by one.
   */
  applyToAll?(
    tx: TenantTx,
    ids: readonly string[],
    params: never,
    by: { actor: SignedIn; now: Date },
  ): Promise<(boolean | AppError)[]>
}
