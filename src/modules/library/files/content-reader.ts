import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Decides whether the visitor of a page outside of the library may read a file of a content item. */
export type MayVisitorRead = (
  tx: TenantTx,
  read: { visitId: string; itemId: string; fileId: string; isDownload: boolean; now: Date },
) => Promise<boolean>

export const contentReaderPoint = defineExtensionPoint<MayVisitorRead>('visitors who read content')
