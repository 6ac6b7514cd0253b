import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { readSettings } from '../settings/settings.queries.ts'
import type { HomePart } from './home-part.ts'

export async function getHome(tx: TenantTx, viewer: UserActor, parts: readonly HomePart[], now: Date) {
  const general = await readSettings(tx, 'general')
  const loaded = await Promise.all(
    parts.map(async ({ name, scopes, load }) => {
      const isVisible = scopes.every((scope) => viewer.scopes.has(scope))
      return [name, isVisible ? await load(tx, viewer, { now, general }) : null]
    }),
  )
  return { as_of: now, ...Object.fromEntries(loaded) }
}
