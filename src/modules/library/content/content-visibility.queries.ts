import { type Expression, type SqlBool, sql } from 'kysely'
import type { ContentViewer } from './content.rules.ts'

/** Same condition as `canSee` in content.rules.ts, for the items of the table alias. */
export function isVisibleTo(viewer: ContentViewer, alias = 'item'): Expression<SqlBool> {
  if (viewer.isManager) return sql`true`
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('owner_id')} = ${viewer.userId}::uuid or (${column('status')} = 'published'
    and (${column('audience_team_ids')} is null or ${column('audience_team_ids')} && ${viewer.teamIds}::uuid[])))`
}
