import { findAccountNames } from '#modules/crm'
import type { SearchSource } from '#modules/identity'
import { listRoomsByText } from './search.queries.ts'

export const roomSearchSource: SearchSource = {
  type: 'room',
  scope: 'rooms.read',
  path: '/rooms',
  async find(tx, search, { limit }) {
    const found = await listRoomsByText(tx, search, limit)
    const accountIds = found.flatMap(({ account_id }) => account_id ?? [])
    const accounts = await findAccountNames(tx, accountIds)
    return found.map(({ id, name, account_id }) => ({
      id,
      title: name,
      subtitle: (account_id !== null && accounts.get(account_id)) || null,
    }))
  },
}
