import type { TenantTx } from '#platform/db'
import { tellContactsLater } from './account-contacts.jobs.ts'
import { carryName, leaveWith, shownName } from './account-contacts.service.ts'
import type { AccountRow } from './accounts.queries.ts'

/** What a change of an account means for its contacts: they carry its name, and leave with it. Where they are many, soon. */
export async function followAccount(tx: TenantTx, before: AccountRow, after: AccountRow, now: Date): Promise<void> {
  const hasLeft = after.type === 'former_customer' && before.type !== 'former_customer'
  const isUnnamed = shownName(before) !== shownName(after) && (await carryName(tx, after))
  const isStaying = hasLeft && (await leaveWith(tx, after, now))
  if (isUnnamed || isStaying) await tellContactsLater(tx, after.id, hasLeft)
}
