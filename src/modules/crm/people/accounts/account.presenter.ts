import { definePresenter } from '#platform/module'
import { Account } from './accounts.schemas.ts'
import { listAccountDetails } from './list-accounts.service.ts'

export const accountPresenter = definePresenter({
  subjectType: 'account',
  schema: Account,
  list: async (tx, ids) => (await listAccountDetails(tx, ids)).map((account) => [account.id, account]),
})
