import { type SaveFields, useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { type Account, loadAccount, storeAccount, updateAccount } from '../account-queries.ts'
import { readAccountValue, toAccountChanges } from './account-values.ts'

/** Saves fields of an account; own fields have the name `custom.<key>` and parts of the address `address.<part>`. */
export const useAccountChanges = (account: Account): SaveFields =>
  useSaveFields<Account>({
    record: account,
    update: (current, changes) => updateAccount(current, toAccountChanges(current, changes)),
    load: () => loadAccount(account.id),
    store: storeAccount,
    readValue: readAccountValue,
  })
