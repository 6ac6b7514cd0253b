import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import type { Page, PageRequest } from '../../api/pages.ts'
import { queryClient } from '../../api/queries.ts'
import type { AccountQuery } from './list-query.ts'

export type Account = Schemas['Account']
export type ListedAccount = Schemas['ListedAccount']
export type AccountChanges = Schemas['UpdateAccountRequest']
export type NewAccount = Schemas['CreateAccountRequest']

export const loadAccountPage = (query: AccountQuery) => (request: PageRequest, signal: AbortSignal) =>
  read(
    api.GET('/api/accounts/', {
      params: { query: { ...query, fields: 'summary', include: 'stats', ...request } },
      signal,
    }),
  ) as Promise<Page<ListedAccount>>

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.accounts.detail(id),
    queryFn: ({ signal }) => loadAccount(id, signal),
  })

export const loadAccount = (id: string, signal?: AbortSignal): Promise<Account> =>
  read(api.GET('/api/accounts/{account_id}', { params: { path: { account_id: id } }, signal }))

export const createAccount = (body: NewAccount, key: string): Promise<Account> =>
  read(api.POST('/api/accounts/', { headers: withKey(key), body }))

export const updateAccount = (
  { id, version }: Pick<Account, 'id' | 'version'>,
  body: AccountChanges,
): Promise<Account> =>
  read(
    api.PATCH('/api/accounts/{account_id}', { params: { path: { account_id: id } }, headers: ifMatch(version), body }),
  )

/** Stores an account that the API returned, in its page and in place in the lists. */
export function storeAccount(account: Account): void {
  queryClient.setQueryData(areaKeys.accounts.detail(account.id), account)
  queryClient.setQueriesData<Page<ListedAccount>>({ queryKey: areaKeys.accounts.lists }, (page) =>
    page?.items.some(({ id, version }) => id === account.id && version <= account.version)
      ? { ...page, items: page.items.map((row) => (row.id === account.id ? account : row)) }
      : page,
  )
}

export const refreshAccounts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: areaKeys.accounts.all })
