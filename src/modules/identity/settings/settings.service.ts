import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { assertVersion, forbidden, invalidInput } from '#platform/errors'
import type { SettingsSection } from '#platform/module'
import { emit } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import { settingsUpdated } from '../identity.events.ts'
import { changedPaths, flattenTree, mergeTrees, splitSecrets, withValueAt } from './section-changes.ts'
import { identitySettings, type SectionName } from './sections.ts'
import {
  applyDefaults,
  findAuthenticatedAt,
  hasAdminWithPassword,
  hasQuotas,
  lockSettings,
  readSections,
  type StoredSection,
  updateWorkspaceName,
  upsertSection,
} from './settings.queries.ts'
import { assertCurrencyChangeable, assertSsoCanBeEnforced, findSectionErrors, isFreshLogin } from './settings.rules.ts'
import type { SsoSettings } from './settings.schemas.ts'
import type { SettingsChanges } from './settings-document.ts'
import { listStoredSecretNames } from './tenant-secrets.queries.ts'
import { storeSecret } from './tenant-secrets.service.ts'

type Tree = Record<string, unknown>
type Stored = Map<string, StoredSection>

export async function getSettings(tx: TenantTx, sections: SettingsSection[]): Promise<Tree> {
  const stored = await readSections(tx, sections)
  const storedSecrets = await listStoredSecretNames(tx, sections.flatMap(secretNamesOf))
  const parts = sections.map((section) => [
    section.name,
    withSecretFlags(section, stored.get(section.name)!, storedSecrets),
  ])
  return { version: versionOf(stored), ...Object.fromEntries(parts) }
}

type UpdateSettingsRequest = {
  sections: SettingsSection[]
  changes: SettingsChanges
  expectedVersion?: number
  now: Date
  box: SecretBox
  hasGoogleClient: boolean
}

export async function updateSettings(tx: TenantTx, actor: UserActor, request: UpdateSettingsRequest): Promise<Tree> {
  const { sections, changes, expectedVersion, now, box, hasGoogleClient } = request
  const touched = sections.filter(({ name }) => changes[name] !== undefined)
  if (touched.some(({ isSensitive }) => isSensitive)) await assertFreshLogin(tx, actor, now)
  await lockSettings(tx)
  const stored = await readSections(tx, sections)
  assertVersion({ version: versionOf(stored) }, expectedVersion)
  const storedSecrets = await listStoredSecretNames(tx, touched.flatMap(secretNamesOf))
  const plannedChanges = touched.map((section) =>
    planChange(section, stored.get(section.name)!, changes[section.name]!, storedSecrets),
  )
  const errors = plannedChanges.flatMap(({ errors }) => errors)
  for (const { section, after } of plannedChanges)
    errors.push(...(await findModuleErrors(tx, section, after, `/${section.name}`)))
  if (errors.length) throw invalidInput(errors)

  const sso = plannedChanges.find(({ section }) => section.name === 'sso')
  if (sso) {
    const options = { hasGoogleClient, hasAdminWithPassword: await hasAdminWithPassword(tx) }
    assertSsoCanBeEnforced(sso.after as SsoSettings, options)
  }

  for (const change of plannedChanges) await applyChange(tx, change, box)
  return await getSettings(tx, sections)
}

export async function updateIdentitySection(tx: TenantTx, name: SectionName, changes: Tree): Promise<void> {
  await updateSection(tx, identitySettings.find((section) => section.name === name)!, changes)
}

/** For modules with an endpoint for their own section. Secrets are not supported. */
export async function updateSection(tx: TenantTx, section: SettingsSection, changes: Tree): Promise<void> {
  await lockSettings(tx)
  const stored = await readSections(tx, [section])
  const storedSecrets = await listStoredSecretNames(tx, secretNamesOf(section))
  const change = planChange(section, stored.get(section.name)!, changes, storedSecrets)
  if (change.errors.length) throw invalidInput(change.errors)

  await applyChange(tx, change, null)
}

export async function replaceSection(
  tx: TenantTx,
  section: SettingsSection,
  own: Tree,
  expectedVersion?: number,
): Promise<void> {
  await lockSettings(tx)
  const stored = (await readSections(tx, [section])).get(section.name)!
  assertVersion(stored, expectedVersion)
  const change = planChange(section, { ...stored, own: {} }, own, new Set())
  const errors = await findModuleErrors(tx, section, change.after, '')
  if (errors.length) throw invalidInput(errors)

  await applyChange(tx, change, null)
}

async function findModuleErrors(tx: TenantTx, { problemsIn }: SettingsSection, after: Tree, root: string) {
  const errors = (await problemsIn?.(tx, after)) ?? []
  return errors.map((error) => ({ in: 'body' as const, ...error, path: root + error.path }))
}

type PlannedChange = ReturnType<typeof planChange>

function planChange(section: SettingsSection, stored: StoredSection, changes: Tree, storedSecrets: Set<string>) {
  const { plain, secrets } = splitSecrets(changes, section.secrets ?? [])
  const own = mergeTrees(stored.own, plain)
  const after = applyDefaults(section, own)
  const hasSecret = (path: string) =>
    secrets.has(path) ? secrets.get(path) !== null : storedSecrets.has(secretName(section, path))
  // Deleting a secret that does not exist is not a change.
  const newSecrets = [...secrets].filter(
    ([path, secret]) => secret !== null || storedSecrets.has(secretName(section, path)),
  )
  return {
    section,
    before: stored.settings,
    own,
    after,
    changed: changedPaths(stored.settings, after),
    secrets: newSecrets,
    hadSecret: (path: string) => storedSecrets.has(secretName(section, path)),
    errors: findSectionErrors(section.name, after, hasSecret),
  }
}

async function applyChange(tx: TenantTx, change: PlannedChange, box: SecretBox | null): Promise<void> {
  const { section, own, secrets } = change
  const changed = [...change.changed, ...secrets.map(([path]) => path)]
  if (!changed.length) return
  if (section.name === 'general' && changed.includes('currency')) assertCurrencyChangeable(await hasQuotas(tx))

  if (section.name === 'general' && changed.includes('name')) await updateWorkspaceName(tx, String(own.name))
  for (const [path, secret] of secrets) {
    if (!box) throw new Error(`The secret ${path} of ${section.name} cannot be stored without a secret box.`)
    await storeSecret(tx, box, secretName(section, path), secret)
  }
  const { name: _, ...rest } = own
  const version = await upsertSection(tx, section.name, section.name === 'general' ? rest : own)
  const subject = { id: tenantIdOf(tx), version }
  await recordAudit(tx, 'settings.updated', { id: subject.id, label: section.name, ...auditedValues(change) })
  await emit(tx, settingsUpdated, subject, { section: section.name, changed })
}

async function assertFreshLogin(tx: TenantTx, { sessionId }: UserActor, now: Date): Promise<void> {
  if (isFreshLogin(await findAuthenticatedAt(tx, sessionId), now)) return
  throw forbidden(
    'reauthentication_required',
    'This change requires a recent sign-in. Sign in again and repeat the request.',
  )
}

/** Audit values by full path. For a secret only the fact of the change is recorded. */
function auditedValues({ section, before, after, changed, secrets, hadSecret }: PlannedChange) {
  const [oldValues, newValues] = [flattenTree(before), flattenTree(after)]
  const valuesOf = (tree: Map<string, unknown>) => changed.map((path) => [secretName(section, path), tree.get(path)])
  const secretsBefore = secrets.map(([path]) => [secretName(section, path), hadSecret(path) ? 'old value' : null])
  const secretsAfter = secrets.map(([path, secret]) => [
    secretName(section, path),
    secret === null ? null : 'new value',
  ])
  return {
    before: Object.fromEntries([...valuesOf(oldValues), ...secretsBefore]),
    after: Object.fromEntries([...valuesOf(newValues), ...secretsAfter]),
  }
}

function withSecretFlags(section: SettingsSection, { settings }: StoredSection, storedSecrets: Set<string>): Tree {
  return (section.secrets ?? []).reduce((tree, path) => {
    const flag = path.replace(/[^.]+$/, (name) => `has_${name}`)
    return withValueAt(tree, flag, storedSecrets.has(secretName(section, path)))
  }, settings)
}

const versionOf = (stored: Stored): number => [...stored.values()].reduce((sum, { version }) => sum + version, 0)

const secretName = ({ name }: SettingsSection, path: string): string => `${name}.${path}`

const secretNamesOf = (section: SettingsSection): string[] =>
  (section.secrets ?? []).map((path) => secretName(section, path))
