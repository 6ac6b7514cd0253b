import { type TenantTx, withinSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { holdAccount } from '../accounts/accounts.queries.ts'
import { lockTied, type Ties, tiesOf } from './contact-ties.queries.ts'
import { type ContactRow, holdContactAddress, lockContacts } from './contacts.queries.ts'

export type Locked = { contacts: ContactRow[]; accountNames: ReadonlyMap<string, string> }

const attempts = 5

/**
 * Contacts with everything that hangs on them, in the order everybody takes these: leads, addresses, deals, accounts, contacts.
 * What hangs on a contact is known for sure only when the contact is locked, so if there is more by then, all is let go and taken anew.
 */
export async function lockWithTies(tx: TenantTx, contactIds: readonly string[]): Promise<Locked> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await withinSavepoint(tx, () => lockOnce(tx, contactIds))
    } catch (error) {
      if (!(error instanceof TiesChanged)) throw error
    }
  }
  throw conflict('conflict', 'Others are changing what belongs to these contacts at this moment. Try again.')
}

class TiesChanged extends Error {
  override name = 'TiesChanged'
}

async function lockOnce(tx: TenantTx, contactIds: readonly string[]): Promise<Locked> {
  const held = await tiesOf(tx, contactIds)
  await lockTied(tx, 'crm.leads', held.leads)
  for (const address of held.addresses) await holdContactAddress(tx, address)
  await lockTied(tx, 'crm.opportunities', held.deals)
  const accountNames = await holdAccounts(tx, held.accounts)
  const contacts = await lockContacts(tx, contactIds)
  if (!covers(held, await tiesOf(tx, contactIds))) throw new TiesChanged()
  return { contacts, accountNames }
}

/** What accounts are called must not change until the contact has its own copy of it. */
async function holdAccounts(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of ids) {
    const account = await holdAccount(tx, id)
    if (account) names.set(id, account.name)
  }
  return names
}

const covers = (held: Ties, found: Ties): boolean =>
  (Object.keys(found) as (keyof Ties)[]).every((kind) => found[kind].every((one) => held[kind].includes(one)))
