import { assertFreshLogin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import type { Egress } from '#platform/egress'
import { assertVersion, invalidInput } from '#platform/errors'
import type { SettingsSection } from '#platform/module'
import { emit } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import { settingsUpdated } from '../../identity.events.ts'
import { revokePasswordSessions } from '../sessions/sessions.service.ts'
import { changedPaths, flattenTree, mergeTrees, splitSecrets, withValueAt } from './section-changes.ts'
import {
  applyDefaults,
  hasAdminWithPassword,
  hasQuotas,
  lockSettings,
  readSections,
  type StoredSection,
  updateWorkspaceName,
  upsertSection,
} from './settings.queries.ts'
import {
  assertCurrencyChangeable,
  assertSsoCanBeEnforced,
  findProvisioningErrors,
  findSectionErrors,
  findUrlErrors,
} from './settings.rules.ts'
import type { SignupSettings, SsoSettings } from './settings.schemas.ts'
import type { SettingsChanges } from './settings-document.ts'
import { deleteSecret, listStoredSecretNames } from './tenant-secrets.queries.ts'
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
  egress: Pick<Egress, 'findUrlProblem'>
}

export async function updateSettings(tx: TenantTx, actor: UserActor, request: UpdateSettingsRequest): Promise<Tree> {
  const { sections, changes, expectedVersion, now, box } = request
  const touched = sections.filter(({ name }) => changes[name] !== undefined)
  if (touched.some(({ isSensitive }) => isSensitive)) assertFreshLogin(actor, now)
  await lockSettings(tx)
  const stored = await readSections(tx, sections)
  assertVersion({ version: versionOf(stored) }, expectedVersion)
  const storedSecrets = await listStoredSecretNames(tx, touched.flatMap(secretNamesOf))
  const plannedChanges = touched.map((section) =>
    planChange(section, stored.get(section.name)!, changes[section.name]!, storedSecrets),
  )
  await assertValidChanges(tx, plannedChanges, stored, request)

  for (const change of plannedChanges) await applyChange(tx, change, box)
  const sso = findChange(plannedChanges, 'sso')
  if (sso?.changed.includes('enforced') && sso.after.enforced) await revokePasswordSessions(tx, 'sso_enforced')
  return await getSettings(tx, sections)
}

async function assertValidChanges(
  tx: TenantTx,
  changes: PlannedChange[],
  stored: Stored,
  { hasGoogleClient, egress }: UpdateSettingsRequest,
) {
  const sso = findChange(changes, 'sso')?.after as SsoSettings | undefined
  const signup = findChange(changes, 'signup')?.after ?? stored.get('signup')!.settings
  const errors = changes.flatMap((change) => [...change.errors, ...findUrlErrors(change, egress)])
  for (const { section, after } of changes)
    errors.push(...(await findModuleErrors(tx, section, after, `/${section.name}`)))
  if (sso) errors.push(...findProvisioningErrors(sso, signup as SignupSettings))
  if (errors.length) throw invalidInput(errors)
  if (sso) assertSsoCanBeEnforced(sso, { hasGoogleClient, hasAdminWithPassword: await hasAdminWithPassword(tx) })
}

const findChange = (changes: PlannedChange[], name: string) => changes.find(({ section }) => section.name === name)

/** Secrets by path within the section, for sections whose secrets are not at fixed paths. Null deletes one. */
type NamedSecrets = { box: SecretBox; values: ReadonlyMap<string, string | null> }

export async function replaceSection(
  tx: TenantTx,
  section: SettingsSection,
  own: Tree,
  expectedVersion?: number,
  named?: NamedSecrets,
): Promise<void> {
  await lockSettings(tx)
  const stored = (await readSections(tx, [section])).get(section.name)!
  assertVersion(stored, expectedVersion)
  const namedSecrets = [...(named?.values ?? [])]
  const names = namedSecrets.map(([path]) => secretName(section, path))
  const storedSecrets = await listStoredSecretNames(tx, [...secretNamesOf(section), ...names])
  const change = planChange(section, { ...stored, own: {} }, own, storedSecrets, namedSecrets)
  const errors = await findModuleErrors(tx, section, change.after, '')
  if (errors.length) throw invalidInput(errors)

  await applyChange(tx, change, named?.box ?? null)
}

async function findModuleErrors(tx: TenantTx, { problemsIn }: SettingsSection, after: Tree, root: string) {
  const errors = (await problemsIn?.(tx, after)) ?? []
  return errors.map((error) => ({ in: 'body' as const, ...error, path: root + error.path }))
}

type PlannedChange = ReturnType<typeof planChange>

function planChange(
  section: SettingsSection,
  stored: StoredSection,
  changes: Tree,
  storedSecrets: Set<string>,
  named: readonly (readonly [path: string, secret: string | null])[] = [],
) {
  const { secrets: secretFields = [] } = section
  const { plain, secrets: sent } = splitSecrets(
    changes,
    secretFields.map(({ path }) => path),
  )
  const own = mergeTrees(stored.own, plain)
  const after = applyDefaults(section, own)
  const changed = changedPaths(stored.settings, after)
  const hadSecret = (path: string) => storedSecrets.has(secretName(section, path))
  // A stored secret must not be sent to another host or for another client than it was entered for.
  const stale = secretFields.flatMap(({ path, boundTo }) => {
    const cause = boundTo.find((field) => changed.includes(field))
    return cause && hadSecret(path) && !sent.has(path) ? [{ path, cause }] : []
  })
  const secrets = new Map([...sent, ...named, ...stale.map(({ path }) => [path, null] as const)])
  const hasSecret = (path: string) => (secrets.has(path) ? secrets.get(path) !== null : hadSecret(path))
  return {
    section,
    before: stored.settings,
    own,
    after,
    changed,
    secrets: [...secrets].filter(([path, secret]) => secret !== null || hadSecret(path)),
    hadSecret,
    reason:
      stale.map(({ path, cause }) => `The stored ${path} was deleted because ${cause} changed.`).join(' ') || null,
    errors: findSectionErrors(section.name, after, hasSecret),
  }
}

async function applyChange(tx: TenantTx, change: PlannedChange, box: SecretBox | null): Promise<void> {
  const { section, own, secrets, reason } = change
  const changed = [...change.changed, ...secrets.map(([path]) => path)]
  if (!changed.length) return
  if (section.name === 'general' && changed.includes('currency')) assertCurrencyChangeable(await hasQuotas(tx))

  if (section.name === 'general' && changed.includes('name')) await updateWorkspaceName(tx, String(own.name))
  for (const [path, secret] of secrets) {
    const name = secretName(section, path)
    if (secret === null) await deleteSecret(tx, name)
    else if (box) await storeSecret(tx, box, name, secret)
    else throw new Error(`The secret ${name} cannot be stored without a secret box.`)
  }
  const { name: _, ...rest } = own
  const version = await upsertSection(tx, section.name, section.name === 'general' ? rest : own)
  const subject = { id: tenantIdOf(tx), version }
  await recordAudit(tx, 'settings.updated', { id: subject.id, label: section.name, reason, ...auditedValues(change) })
  await emit(tx, settingsUpdated, subject, { section: section.name, changed })
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
  return (section.secrets ?? []).reduce((tree, { path }) => {
    const last = path.lastIndexOf('.') + 1
    const flag = `${path.slice(0, last)}has_${path.slice(last)}`
    return withValueAt(tree, flag, storedSecrets.has(secretName(section, path)))
  }, settings)
}

const versionOf = (stored: Stored): number => [...stored.values()].reduce((sum, { version }) => sum + version, 0)

const secretName = ({ name }: SettingsSection, path: string): string => `${name}.${path}`

const secretNamesOf = (section: SettingsSection): string[] =>
  (section.secrets ?? []).map(({ path }) => secretName(section, path))
