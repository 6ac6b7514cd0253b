import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { setWithEviction } from '#platform/cache'
import type { TenantTx } from '#platform/db'
import type { PageTheme } from '#platform/html'
import type { SettingsSection } from '#platform/module'
import { identitySettings, type SectionName, type SettingsOf } from './sections.ts'

type Tree = Record<string, unknown>

/** `own` are the values the workspace has set; `settings` includes the defaults. */
export type StoredSection = { own: Tree; settings: Tree; version: number }

export function readSettings<N extends SectionName>(tx: TenantTx, name: N): Promise<SettingsOf<N>> {
  const section: SettingsSection = identitySettings.find((candidate) => candidate.name === name)!
  return readSection(tx, section) as Promise<SettingsOf<N>>
}

export async function readSection<S extends SettingsSection>(tx: TenantTx, section: S): Promise<Static<S['schema']>> {
  const stored = await readSections(tx, [section])
  return stored.get(section.name)!.settings as Static<S['schema']>
}

export async function readSections(tx: TenantTx, sections: SettingsSection[]): Promise<Map<string, StoredSection>> {
  const names = sections.map(({ name }) => name)
  const rows = await tx
    .selectFrom('identity.tenants as workspace')
    .leftJoin('identity.tenant_settings as settings', (join) =>
      join.on('settings.section', '=', sql<string>`any(${names}::text[])`),
    )
    .select(['workspace.name', 'settings.section', 'settings.doc', 'settings.version'])
    .where('workspace.id', '=', sql<string>`platform.current_tenant_id()`)
    .execute()
  const stored = new Map(rows.map((row) => [row.section, row]))
  const workspace = { name: rows[0]?.name ?? '' }
  return new Map(
    sections.map((section) => {
      const row = stored.get(section.name)
      const doc = (row?.doc ?? {}) as Tree
      const own = section.name === 'general' ? { ...doc, ...workspace } : doc
      return [section.name, { own, settings: readCompleted(section, own), version: row?.version ?? 1 }]
    }),
  )
}

const maxCompletedPerSection = 500
const completedBySchema = new WeakMap<object, Map<string, Tree>>()

/** Applying a schema takes longer than reading the row. The result is shared and therefore frozen. */
function readCompleted(section: SettingsSection, own: Tree): Tree {
  const completed = completedBySchema.get(section.schema) ?? new Map<string, Tree>()
  completedBySchema.set(section.schema, completed)
  const key = JSON.stringify(own)
  const settings = completed.get(key) ?? freezeDeep(applyDefaults(section, own))
  setWithEviction(completed, key, settings, maxCompletedPerSection)
  return settings
}

function freezeDeep<T extends object>(tree: T): T {
  for (const value of Object.values(tree)) if (typeof value === 'object' && value !== null) freezeDeep(value)
  return Object.freeze(tree)
}

export function applyDefaults({ schema }: SettingsSection, doc: Tree): Tree {
  return Value.Clean(schema, Value.Default(schema, Value.Clone(doc))) as Tree
}

/** Serializes settings changes, so that a checked version is still current when it is written. */
export async function lockSettings(tx: TenantTx): Promise<void> {
  await tx
    .selectFrom('identity.tenants')
    .select('id')
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .forNoKeyUpdate()
    .execute()
}

/** Returns the base currency and prevents its change until the transaction ends. */
export async function lockCurrencyShared(tx: TenantTx): Promise<string> {
  await tx
    .selectFrom('identity.tenants')
    .select('id')
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .forShare()
    .execute()
  return (await readSettings(tx, 'general')).currency
}

export async function upsertSection(tx: TenantTx, name: string, own: Tree): Promise<number> {
  const doc = JSON.stringify(own)
  const { version } = await tx
    .insertInto('identity.tenant_settings')
    .values({ section: name, doc, version: 2 })
    .onConflict((existing) => existing.constraint('tenant_settings_pkey').doUpdateSet({ doc }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export async function updateWorkspaceName(tx: TenantTx, name: string): Promise<void> {
  await tx
    .updateTable('identity.tenants')
    .set({ name })
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .execute()
}

export async function hasAdminWithPassword(tx: TenantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('identity.users as user')
    .innerJoin('identity.user_credentials as credentials', 'credentials.user_id', 'user.id')
    .select('user.id')
    .where('user.role', '=', 'admin')
    .where('user.status', '=', 'active')
    .where('credentials.password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasQuotas(tx: TenantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('quarterly_quota_minor', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const baseCurrencyOf = async (tx: TenantTx): Promise<string> => (await readSettings(tx, 'general')).currency

export const timezoneOf = async (tx: TenantTx): Promise<string> => (await readSettings(tx, 'general')).timezone

/** Reads color and logo of the pages of a workspace. The logo is served by this host. */
export async function readPageTheme(tx: TenantTx, workspace: string): Promise<PageTheme> {
  const { primary_color: color, logo_url } = await readSettings(tx, 'branding')
  return { workspace, color, logoUrl: logo_url === null ? null : `/branding/logo?v=${versionOf(logo_url)}` }
}

const versionOf = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 12)
