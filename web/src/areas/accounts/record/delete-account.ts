import { api, ifMatch, read } from '../../../api/client.ts'
import { deleteRecord } from '../../../patterns/record/delete-record.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type Account, refreshAccounts, storeAccount } from '../account-queries.ts'

/** Deletes the account unless it has open deals, which would be left without one. Returns whether it was deleted. */
export async function deleteAccount({ id, name, version, stats }: Account): Promise<boolean> {
  if (stats.open_opportunities > 0) {
    showToast(texts.hasOpenDeals(stats.open_opportunities), { tone: 'failed' })
    return false
  }
  return await deleteRecord({
    remove: () =>
      read(
        api.DELETE('/api/accounts/{account_id}', { params: { path: { account_id: id } }, headers: ifMatch(version) }),
      ),
    restore: () => restoreDeletedAccount(id),
    texts: { deleted: texts.deleted(name), undo: texts.undo },
    refresh: refreshAccounts,
  })
}

export async function restoreDeletedAccount(id: string): Promise<Account> {
  const account = await read(api.POST('/api/accounts/{account_id}/restore', { params: { path: { account_id: id } } }))
  storeAccount(account)
  showToast(texts.restored(account.name))
  await refreshAccounts()
  return account
}
