import { redactAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import {
  eraseMentions,
  lockTextRows,
  mentionsOf,
  scanForMentions,
  toMentionPattern,
  updateTextRows,
} from '#platform/erasure'
import type { ErasedPerson, ErasureBatch } from '#platform/module'

type FreeTexts = { table: string; auditType: string; columns: readonly string[] }

/** Erases mentions of the person from texts about others. Requires the system role. */
export const eraseTextsOf =
  ({ table, auditType, columns }: FreeTexts) =>
  async (tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> => {
    const mentions = mentionsOf(person)
    const { ids, next } = await scanForMentions(tx, { table, columns, mentions, after })
    const more = next === null ? {} : { next }
    if (!ids.length) return { counts: {}, ...more }
    const pattern = toMentionPattern(mentions)
    const texts = (await lockTextRows(tx, table, columns, ids)).map((row) => ({
      ...Object.fromEntries(columns.map((column) => [column, eraseMentions(row[column] ?? null, pattern)])),
      id: row.id,
    }))
    await updateTextRows(tx, table, columns, texts)
    const redacted = await redactAuditEntries(tx, auditType, ids)
    return { counts: { [table]: ids.length, 'platform.audit_log': redacted }, ...more }
  }
