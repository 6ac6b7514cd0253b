import { raiseStatementTimeout, type TenantTx } from '#platform/db'
import { deleteDeltas, isCountedDirectly, setCountedDirectly } from '../records/rollup-states.queries.ts'
import {
  correctDealSums,
  deleteDealSums,
  deleteEmptyDealSums,
  foldDealDeltas,
  hasMoreDeals,
  lockDealSums,
} from './deal-sums.queries.ts'

const maxFolded = 10_000

/** Sums of fewer deals have about as many rows as there are deals. The limits differ, so that a workspace does not change all the time. */
const [maxDirectDeals, minSummedDeals] = [2_000, 1_000]

/** Workspaces without sums drop the changes, until they have enough deals for sums. */
export async function foldDealSums(tx: TenantTx): Promise<boolean> {
  await lockDealSums(tx)
  if (await isCountedDirectly(tx, 'deals')) {
    if (!(await hasMoreDeals(tx, maxDirectDeals)))
      return (await deleteDeltas(tx, 'crm.deal_deltas', maxFolded)) === maxFolded
    await deleteDealSums(tx)
    await correctDealSums(tx)
    await setCountedDirectly(tx, 'deals', false)
  }
  return (await foldDealDeltas(tx, maxFolded)) === maxFolded
}

/** Returns how many sums were wrong. The sums of a small workspace are deleted. */
export async function checkDealSums(tx: TenantTx): Promise<number> {
  await lockDealSums(tx)
  await raiseStatementTimeout(tx, 60)
  const isDirect = await isCountedDirectly(tx, 'deals')
  const corrected = isDirect ? 0 : await correctDealSums(tx)
  if (isDirect || !(await hasMoreDeals(tx, minSummedDeals))) {
    await setCountedDirectly(tx, 'deals', true)
    await deleteDealSums(tx)
  } else await deleteEmptyDealSums(tx)
  return corrected
}
