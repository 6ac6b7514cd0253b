import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'

/** Ids of the leads or contacts, of those given, that an email was sent to. */
export type ListRecordsWithSentEmails = (
  tx: TenantTx,
  objectType: ImportedType,
  ids: readonly string[],
) => Promise<string[]>

export const sentEmailsPoint = defineExtensionPoint<ListRecordsWithSentEmails>('records that an email was sent to')
