import { readCrmSettings } from '#modules/crm'
import { readTemplateVariables } from '#modules/email'
import { findUserNames, resolveOwnerId, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { findCampaignNames } from '../../campaigns/campaigns/campaigns.queries.ts'
import { type CadenceRow, findCadences, getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { countLive } from '../cadence-records/enrollment-states.rules.ts'
import { listCadenceTotals } from '../cadence-records/send-counts.queries.ts'
import { listSteps } from '../cadence-records/steps.queries.ts'
import type { Readiness } from './cadence.rules.ts'
import { toCadenceResults } from './cadence-stats.rules.ts'
import type { Cadence, CadenceQuery, ListedCadence } from './cadences.schemas.ts'
import { listCadenceRows } from './list-cadences.queries.ts'
import { listStepErrors } from './steps.rules.ts'

export async function listCadences(
  tx: TenantTx,
  actor: UserActor,
  { limit, offset, cursor, count, owner_id, include, ...filter }: CadenceQuery,
): Promise<Page<ListedCadence>> {
  const filters = { ...filter, ...(owner_id && { owner_id: resolveOwnerId(owner_id, actor) }) }
  const { items, ...page } = await listCadenceRows(tx, filters, { limit, offset, cursor, count })
  return { ...page, items: await toCadences(tx, items, { withResults: include === 'results' }) }
}

export const getCadence = async (tx: TenantTx, id: string): Promise<Cadence> =>
  await toCadence(tx, await getCadenceRow(tx, id))

export const listCadencesById = async (tx: TenantTx, ids: readonly string[]): Promise<Cadence[]> =>
  await toCadences(tx, await findCadences(tx, ids))

export const toCadence = async (tx: TenantTx, row: CadenceRow): Promise<Cadence> => (await toCadences(tx, [row]))[0]!

async function toCadences(
  tx: TenantTx,
  rows: readonly CadenceRow[],
  { withResults = false } = {},
): Promise<ListedCadence[]> {
  const ids = rows.map(({ id }) => id)
  const [owners, campaigns, steps, totals] = await Promise.all([
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    findCampaignNames(
      tx,
      rows.flatMap(({ campaign_id }) => campaign_id ?? []),
    ),
    listSteps(tx, ids),
    listCadenceTotals(tx, ids),
  ])
  const stepsByCadence = Map.groupBy(steps, ({ cadence_id }) => cadence_id)
  return rows.map(({ run_window, ...row }) => {
    const counts = totals.get(row.id) ?? {}
    return {
      ...(row as unknown as Cadence),
      window: run_window,
      owner: toUserReference(owners, row.owner_id),
      campaign: toReferenceOrNull(campaigns, row.campaign_id),
      steps: stepsByCadence.get(row.id) ?? [],
      enrolled_count: counts.enrolled ?? 0,
      live_count: countLive(counts),
      ...(withResults && { results: toCadenceResults(counts) }),
    }
  })
}

/** The variables of templates are checked again, because custom fields may have been deleted since. */
export async function readReadiness(tx: TenantTx, ids: readonly string[]): Promise<Map<string, Readiness>> {
  const [steps, variables, { sending }] = await Promise.all([
    listSteps(tx, ids),
    readTemplateVariables(tx),
    readCrmSettings(tx),
  ])
  const { from_address, postal_address } = sending
  const stepsByCadence = Map.groupBy(steps, ({ cadence_id }) => cadence_id)
  return new Map(
    ids.map((id) => {
      const own = stepsByCadence.get(id) ?? []
      const hasInvalidTemplate = listStepErrors(own, variables).length > 0
      return [id, { steps: own.length, hasInvalidTemplate, from_address, postal_address }]
    }),
  )
}
