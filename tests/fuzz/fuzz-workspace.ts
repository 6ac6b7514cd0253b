import type { Role } from '#platform/access'
import { loadSampleData } from '../../src/modules/operations/sample-data/sample-data.flow.ts'
import { insertApiKey } from '../matrix/credentials.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import { wildcards } from '../matrix/permissions.ts'
import { addListedIds, createRecords, type IdsByKind, listKindsByField } from './record-ids.ts'

export type CallerName = Role | 'key' | 'none'
type FuzzCaller = { authorization?: string; userId?: string }
export type FuzzWorkspace = {
  /** The run before which the workspace was created. */
  firstRun: number
  tenant: MatrixTenant
  callers: Record<CallerName, FuzzCaller>
  ownIds: IdsByKind
  foreignIds: IdsByKind
  kindsByField: Map<string, string[]>
  cursors: Map<string, string>
}

let foreignIds: IdsByKind | undefined

/** Creates a workspace with sample data, records of every kind and a caller per role. */
export async function createFuzzWorkspace(app: MatrixApp, ownTenant: MatrixTenant, firstRun: number) {
  foreignIds ??= await readForeignIds(app)
  const { services, clock } = app
  const { id: tenantId, admin } = ownTenant.workspace
  await loadSampleData(services, { tenantId, userId: admin.userId, now: clock.now(), scale: 0.05 })
  await ownTenant.workspace.sql(
    `insert into operations.sample_batches (tenant_id, batch_id, state, loaded_by, planned_at, loaded_at)
     values ($1, $1, 'loaded', $2, now(), now())`,
    [tenantId, admin.userId],
  )
  const ownIds = await createRecords(ownTenant)
  await addListedIds(ownIds, ownTenant, app.routes)
  const workspace: FuzzWorkspace = {
    firstRun,
    tenant: ownTenant,
    ownIds,
    foreignIds,
    callers: await createCallers(ownTenant),
    kindsByField: await listKindsByField(ownTenant),
    cursors: await readCursors(app, ownTenant),
  }
  return workspace
}

/** Leaves out ids that contain the canary, such as email addresses, because responses may repeat what was sent. */
async function readForeignIds({ otherTenant, canary }: MatrixApp): Promise<IdsByKind> {
  const all = await createRecords(otherTenant)
  return new Map([...all].map(([kind, ids]) => [kind, ids.filter(({ id }) => !id.includes(canary))]))
}

/** Signs in the users of the workspace again, because requests can end sessions and deactivate users. */
export async function createCallers({ workspace }: MatrixTenant): Promise<FuzzWorkspace['callers']> {
  const signIn = async (role: Role) => {
    const { rowCount } = await workspace.sql(
      `update identity.users set role = $3, status = 'active', must_change_password = false
       where tenant_id = $1 and id = $2 and status <> 'erased'`,
      [workspace.id, workspace[role].userId, role],
    )
    const { userId } = rowCount ? workspace[role] : await workspace.person(role)
    const { accessToken } = await workspace.signIn(userId)
    return { authorization: `Bearer ${accessToken}`, userId }
  }
  const [admin, manager, member, viewer] = await Promise.all(
    (['admin', 'manager', 'member', 'viewer'] as const).map(signIn),
  )
  const key = await insertApiKey(workspace, { scopes: wildcards, createdBy: admin!.userId })
  const authorization = `ApiKey ${key}`
  return { admin: admin!, manager: manager!, member: member!, viewer: viewer!, key: { authorization }, none: {} }
}

async function readCursors({ routes }: MatrixApp, { workspace }: MatrixTenant): Promise<Map<string, string>> {
  const cursors = new Map<string, string>()
  for (const { method, url, params, query } of routes) {
    if (method !== 'GET' || params.length || !query?.properties?.cursor) continue
    const { body } = await workspace.admin.get(`${url}?limit=1`)
    if (body?.next_cursor) cursors.set(url, body.next_cursor)
  }
  return cursors
}
