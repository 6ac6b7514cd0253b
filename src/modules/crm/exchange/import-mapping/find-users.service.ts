import { filterActiveUserIds, listUserIdsByText } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { UserIds } from './parse-cell.rules.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function findUsersByText(tx: TenantTx, texts: readonly string[]): Promise<UserIds> {
  if (!texts.length) return new Map()
  const active = await filterActiveUserIds(
    tx,
    texts.filter((text) => uuidPattern.test(text)),
  )
  const found = await listUserIdsByText(tx, texts)
  const byText = Map.groupBy(found, ({ text }) => text)
  const unique = [...byText].flatMap(([text, users]) => (users.length === 1 ? [[text, users[0]!.id] as const] : []))
  return new Map([...[...active].map((id) => [id, id] as const), ...unique])
}
