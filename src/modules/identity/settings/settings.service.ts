import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { type TenantTx, tenantOf } from '#platform/db'
import { forbidden, invalidInput, versionMismatch } from '#platform/errors'
import type { SettingsSection } from '#platform/module'
import { emit } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import { settingsUpdated } from '../identity.events.ts'
import type { DocumentChanges } from './document.ts'
import { changedPaths, flattened, merged, withoutSecrets, withValueAt } from './section-changes.ts'
import { identitySettings, type SectionName } from './sections.ts'
import {
  complete,
  findAuthenticatedAt,
  hasAdminWithPassword,
  hasQuotas,
  lockSettings,
  nameWorkspace,
  readSections,
  type StoredSection,
  storeSection,
} from './settings.queries.ts'
import { assertCurrencyIsFree, assertSsoCanBeEnforced, isFreshLogin, problemsIn } from './settings.rules.ts'
import type { SsoSettings } from './settings.schemas.ts'
import { listSecretNames } from './tenant-secrets.queries.ts'
import { keepSecret } from './tenant-secrets.service.ts'

type Tree = Record<string, unknown>
type Stored = Map<string, StoredSection>

/** The whole document, defaults filled in. Of secrets it tells only whether they are there. */
export async function readDocument(tx: TenantTx, sections: SettingsSection[]): Promise<Tree> {
  const stored = await readSections(tx, sections)
  const kept = await listSecretNames(tx, sections.flatMap(secretNames))
  const parts = sections.map((section) => [section.name, shown(section, stored.get(section.name)!, kept)])
  return { version: versionOf(stored), ...Object.fromEntries(parts) }
}

type ChangeRequest = {
  sections: SettingsSection[]
  changes: DocumentChanges
  expectedVersion?: number
  now: Date
  box: SecretBox
  /** Whether the installation can send people to Google at all. */
  hasGoogleClient: boolean
}

export async function changeSettings(tx: TenantTx, actor: SignedIn, request: ChangeRequest): Promise<Tree> {
  const { sections, changes, expectedVersion, now, box, hasGoogleClient } = request
  const touched = sections.filter(({ name }) => changes[name] !== undefined)
  if (touched.some(({ isSensitive }) => isSensitive)) await assertFreshLogin(tx, actor, now)
  await lockSettings(tx)
  const stored = await readSections(tx, sections)
  if (expectedVersion !== undefined && expectedVersion !== versionOf(stored)) throw versionMismatch()
  const kept = await listSecretNames(tx, touched.flatMap(secretNames))
  const planned = touched.map((section) => planChange(section, stored.get(section.name)!, changes[section.name]!, kept))
  const problems = planned.flatMap(({ problems }) => problems)
  for (const { section, after } of planned)
    problems.push(...(await ownProblems(tx, section, after, `/${section.name}`)))
  if (problems.length) throw invalidInput(problems)

  const sso = planned.find(({ section }) => section.name === 'sso')
  if (sso) {
    const waysIn = { hasGoogleClient, hasAdminWithPassword: await hasAdminWithPassword(tx) }
    assertSsoCanBeEnforced(sso.after as SsoSettings, waysIn)
  }

  for (const change of planned) await applyChange(tx, change, box)
  return await readDocument(tx, sections)
}

/** Changes one of identity's own sections, from within the product. */
export async function writeSettings(tx: TenantTx, name: SectionName, changes: Tree): Promise<void> {
  await writeSection(tx, identitySettings.find((section) => section.name === name)!, changes)
}

/** For the doors other modules have to their own section. It has no secrets that could be given here. */
export async function writeSection(tx: TenantTx, section: SettingsSection, changes: Tree): Promise<void> {
  await lockSettings(tx)
  const stored = await readSections(tx, [section])
  const kept = await listSecretNames(tx, secretNames(section))
  const planned = planChange(section, stored.get(section.name)!, changes, kept)
  if (planned.problems.length) throw invalidInput(planned.problems)

  await applyChange(tx, planned, null)
}

/** The same with the whole section: what is left out goes back to its default. */
export async function replaceSection(
  tx: TenantTx,
  section: SettingsSection,
  own: Tree,
  expectedVersion?: number,
): Promise<void> {
  await lockSettings(tx)
  const stored = (await readSections(tx, [section])).get(section.name)!
  if (expectedVersion !== undefined && expectedVersion !== stored.version) throw versionMismatch()
  const planned = planChange(section, { ...stored, own: {} }, own, new Set())
  const problems = await ownProblems(tx, section, planned.after, '')
  if (problems.length) throw invalidInput(problems)

  await applyChange(tx, planned, null)
}

/** What the module of a section knows to be wrong with it, with pointers into the body that was sent. */
async function ownProblems(tx: TenantTx, { problemsIn }: SettingsSection, after: Tree, root: string) {
  const problems = (await problemsIn?.(tx, after)) ?? []
  return problems.map((problem) => ({ in: 'body' as const, ...problem, path: root + problem.path }))
}

type PlannedChange = ReturnType<typeof planChange>

function planChange(section: SettingsSection, stored: StoredSection, changes: Tree, kept: Set<string>) {
  const { plain, secrets } = withoutSecrets(changes, section.secrets ?? [])
  const own = merged(stored.own, plain)
  const after = complete(section, own)
  const hasSecret = (path: string) => (secrets.has(path) ? secrets.get(path) !== null : kept.has(nameOf(section, path)))
  // What was not there and is cleared has not changed.
  const newSecrets = [...secrets].filter(([path, secret]) => secret !== null || kept.has(nameOf(section, path)))
  return {
    section,
    before: stored.settings,
    own,
    after,
    changed: changedPaths(stored.settings, after),
    secrets: newSecrets,
    hadSecret: (path: string) => kept.has(nameOf(section, path)),
    problems: problemsIn(section.name, after, hasSecret),
  }
}

async function applyChange(tx: TenantTx, change: PlannedChange, box: SecretBox | null): Promise<void> {
  const { section, own, secrets } = change
  const changed = [...change.changed, ...secrets.map(([path]) => path)]
  if (!changed.length) return
  if (section.name === 'general' && changed.includes('currency')) assertCurrencyIsFree(await hasQuotas(tx))

  if (section.name === 'general' && changed.includes('name')) await nameWorkspace(tx, String(own.name))
  for (const [path, secret] of secrets) {
    if (!box) throw new Error(`The secret ${path} of ${section.name} came without a box to keep it in.`)
    await keepSecret(tx, box, nameOf(section, path), secret)
  }
  const { name: _, ...rest } = own
  const version = await storeSection(tx, section.name, section.name === 'general' ? rest : own)
  const subject = { id: tenantOf(tx), version }
  await record(tx, 'settings.updated', { id: subject.id, label: section.name, ...auditedValues(change) })
  await emit(tx, settingsUpdated, subject, { section: section.name, changed })
}

async function assertFreshLogin(tx: TenantTx, { sessionId }: SignedIn, now: Date): Promise<void> {
  if (isFreshLogin(await findAuthenticatedAt(tx, sessionId), now)) return
  throw forbidden('reauthentication_required', 'Confirm that it is you: sign in again, then repeat this.')
}

/** Under their full names. Of a secret the trail keeps that it changed, and neither the old nor the new one. */
function auditedValues({ section, before, after, changed, secrets, hadSecret }: PlannedChange) {
  const [was, is] = [flattened(before), flattened(after)]
  const valuesOf = (tree: Map<string, unknown>) => changed.map((path) => [nameOf(section, path), tree.get(path)])
  const secretsBefore = secrets.map(([path]) => [nameOf(section, path), hadSecret(path) ? 'the former one' : null])
  const secretsAfter = secrets.map(([path, secret]) => [nameOf(section, path), secret === null ? null : 'a new one'])
  return {
    before: Object.fromEntries([...valuesOf(was), ...secretsBefore]),
    after: Object.fromEntries([...valuesOf(is), ...secretsAfter]),
  }
}

function shown(section: SettingsSection, { settings }: StoredSection, kept: Set<string>): Tree {
  return (section.secrets ?? []).reduce((tree, path) => {
    const flag = path.replace(/[^.]+$/, (name) => `has_${name}`)
    return withValueAt(tree, flag, kept.has(nameOf(section, path)))
  }, settings)
}

const versionOf = (stored: Stored): number => [...stored.values()].reduce((sum, { version }) => sum + version, 0)

const nameOf = ({ name }: SettingsSection, path: string): string => `${name}.${path}`

const secretNames = (section: SettingsSection): string[] => (section.secrets ?? []).map((path) => nameOf(section, path))
