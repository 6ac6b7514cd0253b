import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { Page, TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { lockKeys } from '../api-keys/api-keys.queries.ts'
import { revokeKeysOfApp } from '../api-keys/api-keys.service.ts'
import { connectedAppCreated, connectedAppDeleted, connectedAppUpdated } from '../identity.events.ts'
import { assertVersion } from '../users/change-user.rules.ts'
import { realChanges } from '../users/users.rules.ts'
import { readAllowlist } from './allowlist.rules.ts'
import {
  changeAppFields,
  deleteApp,
  findAppIdByName,
  getApp,
  insertApp,
  pageOfApps,
  type SeenApp,
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
  const page = await pageOfApps(tx, filter, clock.now())
  return { ...page, items: page.items.map(toConnectedApp) }
}

export async function getConnectedApp(tx: TenantTx, id: string, { clock }: Services): Promise<ConnectedApp> {
  return toConnectedApp(await getApp(tx, id, clock.now()))
}

export async function connectApp(
  tx: TenantTx,
  actor: SignedIn,
  input: NewConnectedApp,
  services: Services,
): Promise<ConnectedApp> {
  const fields = { ...input, ip_allowlist: readAllowlist(input.ip_allowlist ?? []) }
  await lockKeys(tx)
  await assertNameIsFree(tx, input.name)

  const id = newId()
  await insertApp(tx, { id, ...fields, created_by: actor.userId })
  await record(tx, 'connected_app.created', { id, label: input.name, after: fields })
  await emit(tx, connectedAppCreated, { id, version: 1 }, { name: input.name })
  return await getConnectedApp(tx, id, services)
}

type ChangeRequest = { changes: ConnectedAppChanges; expectedVersion?: number }

/** Disabling an app binds on the next request of its keys; enabling it brings them back. */
export async function changeConnectedApp(
  tx: TenantTx,
  id: string,
  { changes: asked, expectedVersion }: ChangeRequest,
  { clock }: Services,
): Promise<ConnectedApp> {
  const wanted = asked.ip_allowlist ? { ...asked, ip_allowlist: readAllowlist(asked.ip_allowlist) } : asked
  await lockKeys(tx)
  const app = await getApp(tx, id, clock.now())
  assertVersion(app, expectedVersion)
  const changes = realChanges(app, wanted)
  const changed = Object.keys(changes)
  if (changed.length === 0) return toConnectedApp(app)
  if (changes.name !== undefined) await assertNameIsFree(tx, changes.name, id)

  await changeAppFields(tx, id, changes)
  const after = await getApp(tx, id, clock.now())
  const { status } = toConnectedApp(after)
  await record(tx, 'connected_app.updated', { id, label: after.name, before: app, after: { ...app, ...changes } })
  await emit(tx, connectedAppUpdated, after, { changed, status })
  return toConnectedApp(after)
}

type Removal = { expectedVersion?: number }

/** Its keys go with it, for good. */
export async function disconnectApp(
  tx: TenantTx,
  id: string,
  { expectedVersion }: Removal,
  { clock }: Services,
): Promise<void> {
  await lockKeys(tx)
  const app = await getApp(tx, id, clock.now())
  assertVersion(app, expectedVersion)

  const api_keys_revoked = await revokeKeysOfApp(tx, id, 'connected_app_deleted')
  await deleteApp(tx, id)
  await record(tx, 'connected_app.deleted', { id, label: app.name, before: app })
  await emit(tx, connectedAppDeleted, app, { name: app.name, api_keys_revoked })
}

async function assertNameIsFree(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findAppIdByName(tx, name)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'There is a connected app of this name already.', { existing_id: existing })
}

function toConnectedApp({ created_by, creator_name, live_key_count, name_key: _, ...app }: SeenApp): ConnectedApp {
  return {
    ...app,
    status: app.status as ConnectedApp['status'],
    live_key_count: live_key_count ?? 0,
    created_by: created_by ? { id: created_by, name: creator_name ?? '' } : null,
  }
}
