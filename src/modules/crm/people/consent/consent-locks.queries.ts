import { createHash } from 'node:crypto'
import { acquireAdvisoryLocks, type TenantTx } from '#platform/db'

/** Subjects share 256 locks, so that a batch of records does not fill the lock table. */
const lockNameOf = (subject: string): string =>
  `consent:${createHash('sha256').update(subject).digest('hex').slice(0, 2)}`

export const lockConsent = (tx: TenantTx, subjects: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(tx, subjects.map(lockNameOf))

export const lockConsentShared = (tx: TenantTx, subjects: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(tx, subjects.map(lockNameOf), { isShared: true })
