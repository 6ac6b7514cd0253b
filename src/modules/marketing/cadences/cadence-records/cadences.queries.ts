import { type Selectable, sql } from 'kysely'
import { acquireAdvisoryLock, type Database, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

export const cadenceStatuses = ['draft', 'active', 'paused', 'archived'] as const
export type CadenceStatus = (typeof cadenceStatuses)[number]

/** Why the system paused a cadence. */
export const cadencePauseReasons = ['bounces', 'restored', 'campaign'] as const
export type SystemStatus =
  | { status: 'paused'; paused_reason: (typeof cadencePauseReasons)[number] }
  | { status: 'active'; paused_reason: null }

/** Times of day at which steps run; 1 is Monday. */
export type RunWindow = { days: number[]; start: string; end: string }
export type ExitOn = { reply: boolean; meeting: boolean; bounce: boolean }

export const cadenceColumns = [
  'id',
  'name',
  'description',
  'status',
  'paused_reason',
  'owner_id',
  'campaign_id',
  'run_window',
  'timezone_mode',
  'timezone',
  'exit_on',
  'reenroll_after_days',
  'track_clicks',
  'track_opens',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const
type Columns = Pick<Selectable<Database['marketing.cadences']>, (typeof cadenceColumns)[number]>
export type CadenceRow = Omit<Columns, 'status' | 'run_window' | 'exit_on' | 'timezone_mode'> & {
  status: CadenceStatus
  run_window: RunWindow
  exit_on: ExitOn
  timezone_mode: 'person' | 'fixed'
}

const selectCadence = (tx: TenantTx, id: string) =>
  tx.selectFrom('marketing.cadences').select(cadenceColumns).where('id', '=', id)

export const findCadence = async (tx: TenantTx, id: string): Promise<CadenceRow | undefined> =>
  (await selectCadence(tx, id).executeTakeFirst()) as CadenceRow | undefined

export const getCadenceRow = async (tx: TenantTx, id: string): Promise<CadenceRow> =>
  requireCadence(await findCadence(tx, id))

/** Names are unique among cadences that are not archived. */
export const lockCadenceNames = (tx: TenantTx) => acquireAdvisoryLock(tx, 'cadence_names')

/** Others can still insert enrollments that refer to the cadence, unless they lock it in shared mode. */
export const lockCadence = async (tx: TenantTx, id: string): Promise<CadenceRow> =>
  requireCadence((await selectCadence(tx, id).forNoKeyUpdate().executeTakeFirst()) as CadenceRow | undefined)

/** Keeps status and steps of the cadence unchanged until the transaction ends. */
export const lockCadenceShared = async (tx: TenantTx, id: string): Promise<CadenceRow> =>
  requireCadence((await selectCadence(tx, id).forShare().executeTakeFirst()) as CadenceRow | undefined)

/** Like `lockCadenceShared` for several cadences, in the order of their ids. */
export async function lockCadencesShared(tx: TenantTx, ids: readonly string[]): Promise<CadenceRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select(cadenceColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  return rows as unknown as CadenceRow[]
}

export async function findCadences(tx: TenantTx, ids: readonly string[]): Promise<CadenceRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select(cadenceColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as unknown as CadenceRow[]
}

export async function findCadenceNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function updateCadenceStatuses(
  tx: TenantTx,
  ids: readonly string[],
  status: SystemStatus,
): Promise<CadenceRow[]> {
  const rows = await tx
    .updateTable('marketing.cadences')
    .set(status)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(cadenceColumns)
    .execute()
  return rows as unknown as CadenceRow[]
}

function requireCadence(cadence: CadenceRow | undefined): CadenceRow {
  if (!cadence) throw notFound('cadence')
  return cadence
}
