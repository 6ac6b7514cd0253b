import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** A feature of another module that a workspace has only after it was set up. */
export type Capability = { name: 'enrichment'; isAvailable(tx: TenantTx): Promise<boolean> }

export const capabilityPoint = defineExtensionPoint<Capability>('features that need to be set up')
