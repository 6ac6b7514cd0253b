import type { TObject, TProperties } from 'typebox'
import type { Scope, SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'

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
}

/** A part of a user's profile that another module knows. It is null for a viewer without the scope. */
export type ProfilePart = {
  name: string
  scope: Scope
  load(tx: TenantTx, viewer: SignedIn, userId: string, period: { from: Date; to: Date }): Promise<unknown>
}
