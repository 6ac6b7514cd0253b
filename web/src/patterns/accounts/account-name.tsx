import { queryOptions, useQuery } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read } from '../../api/client.ts'
import { accountPickerTexts as texts } from '../../texts/en/account-picker-texts.ts'

const staleMs = 10 * 60_000

export const accountNameQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.accountName(id),
    queryFn: async ({ signal }): Promise<string> => {
      const params = { path: { account_id: id } }
      return (await read(api.GET('/api/accounts/{account_id}', { params, signal }))).name
    },
    staleTime: staleMs,
    retry: false,
  })

/** The name of an account of which only the id is known. */
export const AccountName = ({ id }: { id: string }) => useQuery(accountNameQuery(id)).data ?? texts.other
