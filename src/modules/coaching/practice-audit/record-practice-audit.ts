import { type AuditAction, type NewAuditEntry, recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'

export type PracticeAuditEntry = NewAuditEntry & { isPrivate: boolean }

/**
 * Records changes of coaching sessions and pitches. Private practice has no audit entries, because they would tell admins who
 * practices, when and how long.
 */
export const recordPracticeAudit = (
  tx: TenantTx,
  action: AuditAction,
  ...entries: readonly PracticeAuditEntry[]
): Promise<void> =>
  recordAuditEntries(
    tx,
    action,
    entries.filter(({ isPrivate }) => !isPrivate),
  )
