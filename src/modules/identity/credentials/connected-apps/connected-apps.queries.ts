import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { type Database, decodeCursor, directionOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import type { ConnectedAppFilter } from './connected-apps.schemas.ts'

const appColumns = [
  'id',
  'name',
  'name_key',
  'description',
  'vendor_url',
  'status',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const
const allowlist = sql<string[]>`ip_allowlist::text[]`.as('ip_allowlist')
const SortKey = Type.Tuple([Type.String(), Id])

type Apps = SelectQueryBuilder<
  Database,
  'identity.connected_apps',
  Pick<Selectable<Database['identity.connected_apps']>, (typeof appColumns)[number]> & { ip_allowlist: string[] }
>

export async function listConnectedAppRows(tx: TenantTx, { status, sort, ...page }: ConnectedAppFilter, now: Date) {
  const order = directionOf(sort, 'name')
  let apps = tx.selectFrom('identity.connected_apps')
  if (status) apps = apps.where('status', '=', sql<string>`any(${status}::text[])`)

  let pageQuery = apps
    .select(appColumns)
    .select(allowlist)
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) {
    const after = decodeCursor(page.cursor, SortKey, order)
    pageQuery = pageQuery.where((eb) => eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...after)))
  } else pageQuery = pageQuery.offset(page.offset)

  const rows = await selectAppDetails(tx, pageQuery, now)
    .orderBy('app.name_key', order.direction)
    .orderBy('app.id', order.direction)
    .execute()
  return toPage(rows, await totalOf(tx, apps, page), page, ({ name_key, id }) => [name_key, id], order)
}

export type ConnectedAppRow = Awaited<ReturnType<typeof listConnectedAppsById>>[number]

export async function getConnectedAppRow(tx: TenantTx, id: string, now: Date): Promise<ConnectedAppRow> {
  const [app] = await listConnectedAppsById(tx, [id], now)
  if (!app) throw notFound('connected app')
  return app
}

export function listConnectedAppsById(tx: TenantTx, ids: readonly string[], now: Date) {
  const apps = tx.selectFrom('identity.connected_apps').select(appColumns).select(allowlist)
  return selectAppDetails(tx, apps.where('id', '=', sql<string>`any(${ids}::uuid[])`), now).execute()
}

const selectAppDetails = (tx: TenantTx, apps: Apps, now: Date) =>
  tx
    .selectFrom(apps.as('app'))
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.users as u')
          .select('u.name')
          .whereRef('u.id', '=', 'app.created_by')
          .limit(sql.lit(1))
          .as('creator'),
      (join) => join.onTrue(),
    )
    .select(appColumns.map((column) => `app.${column}` as const))
    .select(['app.ip_allowlist', 'creator.name as creator_name'])
    .select((eb) =>
      eb
        .selectFrom('identity.api_keys as key')
        .select(({ fn }) => fn.countAll<number>().as('keys'))
        .whereRef('key.connected_app_id', '=', 'app.id')
        .where('key.revoked_at', 'is', null)
        .where((key) => key.or([key('key.expires_at', 'is', null), key('key.expires_at', '>', now)]))
        .as('live_key_count'),
    )

export async function findConnectedAppIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const existing = await tx
    .selectFrom('identity.connected_apps')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return existing?.id
}

type WithAllowlist<T> = Omit<T, 'ip_allowlist'> & { ip_allowlist?: string[] }

const toColumns = <T extends { ip_allowlist?: string[] }>({ ip_allowlist, ...fields }: T) => ({
  ...fields,
  ...(ip_allowlist && { ip_allowlist: sql<string[]>`${ip_allowlist}::cidr[]` }),
})

export async function insertConnectedApp(
  tx: TenantTx,
  app: WithAllowlist<Insertable<Database['identity.connected_apps']>>,
): Promise<void> {
  await tx.insertInto('identity.connected_apps').values(toColumns(app)).execute()
}

export async function updateConnectedAppRow(
  tx: TenantTx,
  id: string,
  changes: WithAllowlist<Updateable<Database['identity.connected_apps']>>,
): Promise<void> {
  await tx.updateTable('identity.connected_apps').set(toColumns(changes)).where('id', '=', id).execute()
}

export async function deleteConnectedAppRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.connected_apps').where('id', '=', id).execute()
}
