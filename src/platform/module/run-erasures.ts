import { retryOnContention, type TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import type { ErasedPerson, Erasure, ErasureBatch, ErasureSubject } from './registries.ts'

type ErasePerson = (tx: TenantTx, person: ErasedPerson, after?: string) => Promise<ErasureBatch>

/** Defines an erasure of persons that does nothing if a user is erased. */
export const definePersonErasure = (
  name: string,
  erase: ErasePerson,
  options: Pick<Erasure, 'requiresSystemRole'> = {},
): Erasure => ({
  name,
  ...options,
  erase: async (tx, subject, after) => ('user_id' in subject ? { counts: {} } : await erase(tx, subject, after)),
})

export type ErasurePosition = { erasure: string; after: string | null }

type ErasureRun = {
  from?: ErasurePosition | null
  onBatch?(tx: TenantTx, counts: ErasureBatch['counts'], position: ErasurePosition | undefined): Promise<void>
  isCancelled?(): Promise<boolean>
}

export async function runErasures(
  { inTenant, inTenantAsSystem, signal }: Pick<JobContext, 'inTenant' | 'inTenantAsSystem' | 'signal'>,
  erasures: readonly Erasure[],
  subject: ErasureSubject,
  { from, onBatch, isCancelled }: ErasureRun = {},
): Promise<boolean> {
  let position = erasures.some(({ name }) => name === from?.erasure) ? from! : positionAt(erasures, 0)
  while (position) {
    signal.throwIfAborted()
    if (await isCancelled?.()) return false
    const current = position
    const index = erasures.findIndex(({ name }) => name === current.erasure)
    const { erase, requiresSystemRole } = erasures[index]!
    const runBatch = async (tx: TenantTx) => {
      const { counts, next } = await erase(tx, subject, current.after ?? undefined)
      const following = next === undefined ? positionAt(erasures, index + 1) : { ...current, after: next }
      await onBatch?.(tx, counts, following)
      return following
    }
    position = await retryOnContention(() => (requiresSystemRole ? inTenantAsSystem : inTenant)(runBatch), signal)
  }
  return true
}

const positionAt = (erasures: readonly Erasure[], index: number): ErasurePosition | undefined =>
  erasures[index] && { erasure: erasures[index].name, after: null }
