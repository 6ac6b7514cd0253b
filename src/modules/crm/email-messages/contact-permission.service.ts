import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { findEmailStatuses } from '../consent/suppressions.service.ts'

const refusalByStatus: Record<string, string> = {
  unsubscribed: 'opted_out',
  complained: 'opted_out',
  bounced: 'bounced',
}

/** Returns why email addresses must not be contacted; those that may be contacted are missing. */
export async function findContactRefusals(
  tx: TenantTx,
  services: Services,
  addresses: readonly string[],
  _channel: 'email' | 'survey',
): Promise<Map<string, string>> {
  const statuses = await findEmailStatuses(tx, services, addresses)
  const refusals = [...statuses].map(([address, status]) => [address, refusalByStatus[status]] as const)
  return new Map(refusals.filter((refusal): refusal is readonly [string, string] => refusal[1] !== undefined))
}
