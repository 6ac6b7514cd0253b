import { api, read, withKey } from '../../api/client.ts'
import type { Choice } from '../combobox/use-combobox.ts'

const mostFound = 8

export async function findAccounts(search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: search || undefined, limit: mostFound, count: 'none' as const, fields: 'summary' as const }
  const { items } = await read(api.GET('/api/accounts/', { params: { query }, signal }))
  return items.map(({ id, name, domain }) => ({ id, name, detail: domain }))
}

export const createAccount = async (name: string, key: string): Promise<string> =>
  (await read(api.POST('/api/accounts/', { headers: withKey(key), body: { name } }))).id
