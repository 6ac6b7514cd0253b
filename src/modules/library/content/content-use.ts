import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Throws if records of another module use the content item, which cannot be deleted then. */
export type AssertContentUnused = (tx: TenantTx, item: { id: string }) => Promise<void>

export const contentUsePoint = defineExtensionPoint<AssertContentUnused>('uses of content items')
