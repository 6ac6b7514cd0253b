import { raiseStatementTimeout, type TenantTx } from '#platform/db'
import { deleteDeltas, isCountedDirectly, setCountedDirectly } from '../../records/fields/rollup-states.queries.ts'
import { correctSums, dayRollup, deleteEmptySums, foldDeltas, stageRollup } from './deal-rollups.queries.ts'
import { deleteDealSums, hasMoreDeals, lockDealSums } from './deal-sums.queries.ts'

const maxFolded = 10_000

/**
 * Sums by day of fewer deals have about as many rows as there are deals. The limits differ, so that a workspace does not change all
 * the time. Sums by stage are few in every workspace.
 */
const [maxDirectDeals, minSummedDeals] = [2_000, 1_000]

export async function foldDealSums(tx: TenantTx): Promise<boolean> {
  await lockDealSums(tx)
  const foldedStages = await foldDeltas(tx, stageRollup, maxFolded)
  const foldedDays = await foldDaySums(tx)
  return foldedStages === maxFolded || foldedDays === maxFolded
}

/** Workspaces without sums drop the changes, until they have enough deals for sums. */
async function foldDaySums(tx: TenantTx): Promise<number> {
  if (await isCountedDirectly(tx, 'deals')) {
    if (!(await hasMoreDeals(tx, maxDirectDeals))) return await deleteDeltas(tx, 'crm.deal_deltas', maxFolded)
    await deleteDealSums(tx)
    await correctSums(tx, dayRollup)
    await setCountedDirectly(tx, 'deals', false)
  }
  return await foldDeltas(tx, dayRollup, maxFolded)
}

export async function checkDealSums(tx: TenantTx): Promise<number> {
  await lockDealSums(tx)
  await raiseStatementTimeout(tx, 60)
  const correctedStages = await correctSums(tx, stageRollup)
  await deleteEmptySums(tx, stageRollup)
  return correctedStages + (await checkDaySums(tx))
}

/** The sums of a small workspace are deleted. */
async function checkDaySums(tx: TenantTx): Promise<number> {
  const isDirect = await isCountedDirectly(tx, 'deals')
  const corrected = isDirect ? 0 : await correctSums(tx, dayRollup)
  if (isDirect || !(await hasMoreDeals(tx, minSummedDeals))) {
    await setCountedDirectly(tx, 'deals', true)
    await deleteDealSums(tx)
  } else await deleteEmptySums(tx, dayRollup)
  return corrected
}
