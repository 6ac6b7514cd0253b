import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

type Merge = { survivorId: string; mergedIds: readonly string[] }

/** Counts the enrollments in cadences that a merge of leads has ended, before its undo. */
export type CountEndedEnrollments = (tx: TenantTx, merge: Merge) => Promise<number>

export const endedEnrollmentsPoint = defineExtensionPoint<CountEndedEnrollments>('enrollments that a merge has ended')
