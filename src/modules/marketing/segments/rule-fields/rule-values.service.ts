import { listRecordValues } from '#modules/crm'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertMayReadMembers } from '../segments/segment.rules.ts'
import type { RuleValueQuery, RuleValues } from './rule-values.schemas.ts'

/** Values are data of records, so that the caller must be allowed to read these. */
export async function listRuleValues(
  tx: TenantTx,
  actor: UserActor,
  { object_type, ...query }: RuleValueQuery,
): Promise<RuleValues> {
  assertMayReadMembers(actor, object_type)
  if (query.field.startsWith('account.')) assertMayReadMembers(actor, 'account')
  return { items: await listRecordValues(tx, object_type, query) }
}
