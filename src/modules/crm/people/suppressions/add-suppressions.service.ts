import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emailSubject } from '../consent/find-consent.service.ts'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import type { SuppressionServices } from '../consent/suppressions.service.ts'
import { defaultSource } from './suppressions.rules.ts'
import type { AddedSuppressions, NewSuppressions } from './suppressions.schemas.ts'

export async function addSuppressions(
  tx: TenantTx,
  { emails, source = defaultSource }: NewSuppressions,
  services: SuppressionServices,
): Promise<AddedSuppressions> {
  const { size: added } = await recordOptOuts(tx, services, { emails, reason: 'listed', source })
  const total = new Set(emails.map(emailSubject)).size
  if (added) await recordAudit(tx, 'suppression.added', { id: newId(), after: { added, source } })
  return { added, unchanged: total - added }
}
