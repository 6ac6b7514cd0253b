import { type AuditAction, recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { splitFormerText } from './moderation.rules.ts'

type Edit = {
  id: string
  label: string
  before: Record<string, unknown>
  after: Record<string, unknown>
  formerBody?: string
}

/** Keeps the former text; a long one takes several entries, because an entry would be truncated. */
export async function recordEdit(
  tx: TenantTx,
  action: AuditAction,
  { id, label, before, after, formerBody }: Edit,
): Promise<void> {
  const [first, ...others] = formerBody === undefined ? [] : splitFormerText(formerBody)
  await recordAuditEntries(tx, action, [
    { id, label, before, after: { ...after, ...(first !== undefined && { former_body: first }) } },
    ...others.map((part) => ({ id, label, after: { former_body: part } })),
  ])
}
