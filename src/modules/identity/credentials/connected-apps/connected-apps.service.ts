import { assertFreshLogin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { Page, TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { connectedAppCreated, connectedAppDeleted, connectedAppUpdated } from '../../identity.events.ts'
import { lockApiKeys } from '../api-keys/api-keys.queries.ts'
import { revokeKeysOfApp } from '../api-keys/api-keys.service.ts'
import { parseAllowlist } from './allowlist.rules.ts'
import {
  type ConnectedAppRow,
  deleteConnectedAppRow,
  findConnectedAppIdByName,
  getConnectedAppRow,
  insertConnectedApp,
  listConnectedAppRows,
  updateConnectedAppRow,
} from './connected-apps.queries.ts'
import type {
  ConnectedApp,
  ConnectedAppChanges,
  ConnectedAppFilter,
  NewConnectedApp,
} from './connected-apps.schemas.ts'

type Services = { clock: Clock }

export async function listConnectedApps(
  tx: TenantTx,
  filter: ConnectedAppFilter,
  { clock }: Services,
): Promise<Page<ConnectedApp>> {
  const page = await listConnectedAppRows(tx, filter, clock.now())
  return { ...page, items: page.items.map(toConnectedApp) }
}

export async function getConnectedApp(tx: TenantTx, id: string, { clock }: Services): Promise<ConnectedApp> {
  return toConnectedApp(await getConnectedAppRow(tx, id, clock.now()))
}

export async function createConnectedApp(
  tx: TenantTx,
  actor: UserActor,
  input: NewConnectedApp,
  services: Services,
): Promise<ConnectedApp> {
  const fields = { ...input, ip_allowlist: parseAllowlist(input.ip_allowlist ?? []) }
  await lockApiKeys(tx)
  await assertNameUnused(tx, input.name)

  const id = newId()
  await insertConnectedApp(tx, { id, ...fields, created_by: actor.userId })
  await recordAudit(tx, 'connected_app.created', { id, label: input.name, after: fields })
  await emit(tx, connectedAppCreated, { id, version: 1 }, { name: input.name })
  return await getConnectedApp(tx, id, services)
}

type UpdateInput = { changes: ConnectedAppChanges; expectedVersion?: number }

export async function updateConnectedApp(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: UpdateInput,
  { clock }: Services,
): Promise<ConnectedApp> {
  const normalized = requested.ip_allowlist
    ? { ...requested, ip_allowlist: parseAllowlist(requested.ip_allowlist) }
    : requested
  await lockApiKeys(tx)
  const app = await getConnectedAppRow(tx, id, clock.now())
  assertVersion(app, expectedVersion)
  const changes = changedFields(app, normalized)
  const changed = Object.keys(changes)
  if (changed.length === 0) return toConnectedApp(app)
  // Disabling an app must be possible at any time; these changes may allow requests that were rejected before.
  if (changes.ip_allowlist || changes.status === 'active') assertFreshLogin(actor, clock.now())
  if (changes.name !== undefined) await assertNameUnused(tx, changes.name, id)

  await updateConnectedAppRow(tx, id, changes)
  const after = await getConnectedAppRow(tx, id, clock.now())
  const { status } = toConnectedApp(after)
  await recordAudit(tx, 'connected_app.updated', { id, label: after.name, before: app, after: { ...app, ...changes } })
  await emit(tx, connectedAppUpdated, after, { changed, status })
  return toConnectedApp(after)
}

type DeleteOptions = { expectedVersion?: number }

export async function deleteConnectedApp(
  tx: TenantTx,
  id: string,
  { expectedVersion }: DeleteOptions,
  { clock }: Services,
): Promise<void> {
  await lockApiKeys(tx)
  const app = await getConnectedAppRow(tx, id, clock.now())
  assertVersion(app, expectedVersion)

  const api_keys_revoked = await revokeKeysOfApp(tx, id, 'connected_app_deleted')
  await deleteConnectedAppRow(tx, id)
  await recordAudit(tx, 'connected_app.deleted', { id, label: app.name, before: app })
  await emit(tx, connectedAppDeleted, app, { name: app.name, api_keys_revoked })
}

async function assertNameUnused(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findConnectedAppIdByName(tx, name)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'A connected app with this name already exists.', { existing_id: existing })
}

export function toConnectedApp({
  created_by,
  creator_name,
  live_key_count,
  name_key: _,
  ...app
}: ConnectedAppRow): ConnectedApp {
  return {
    ...app,
    status: app.status as ConnectedApp['status'],
    live_key_count: live_key_count ?? 0,
    created_by: created_by ? { id: created_by, name: creator_name ?? '' } : null,
  }
}
