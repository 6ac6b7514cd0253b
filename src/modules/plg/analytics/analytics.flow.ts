import type { UserActor } from '#platform/access'
import { inTenant, planForValues, raiseStatementTimeout, raiseWorkMem, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { readCachedNumbers } from '../usage-store/usage-store.ts'

type Numbers<T> = { actor: UserActor; name: string; load(tx: TenantTx, now: Date): Promise<T> }

const [maxSeconds, workMegabytes] = [15, 64]

/** Reads numbers that may need many rows: with a longer time limit, sorted in memory, and at most once in 30 seconds unless events arrive. */
export function readNumbers<T>(
  { db, cache, clock }: Pick<Services, 'db' | 'cache' | 'clock'>,
  { actor, name, load }: Numbers<T>,
): Promise<T> {
  const read = (tx: TenantTx) => load(tx, clock.now())
  return readCachedNumbers(cache, actor.tenantId, name, () =>
    inTenant(db, actor, async (tx) => {
      await Promise.all([raiseStatementTimeout(tx, maxSeconds), raiseWorkMem(tx, workMegabytes), planForValues(tx)])
      return await read(tx)
    }),
  )
}
