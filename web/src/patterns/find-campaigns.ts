import { api, read } from '../api/client.ts'
import type { Choice } from './combobox/use-combobox.ts'

export async function findCampaigns(search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: search || undefined, limit: 20, count: 'none' as const }
  const { items } = await read(api.GET('/api/campaigns/', { params: { query }, signal }))
  return items.map(({ id, name }) => ({ id, name }))
}
