import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type CollaboratorRole = 'editor' | 'viewer'

export async function findCollaboratorRole(
  tx: TenantTx,
  roomId: string,
  userId: string,
): Promise<CollaboratorRole | undefined> {
  const row = await tx
    .selectFrom('enablement.room_collaborators')
    .select('role')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role as CollaboratorRole | undefined
}

export async function listCollaborators(tx: TenantTx, roomId: string) {
  const rows = await tx
    .selectFrom('enablement.room_collaborators')
    .select(['user_id', 'role'])
    .where('room_id', '=', roomId)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id, role }) => ({ user_id, role: role as CollaboratorRole }))
}

export async function replaceCollaborators(
  tx: TenantTx,
  roomId: string,
  collaborators: readonly { user_id: string; role: CollaboratorRole }[],
): Promise<void> {
  await tx.deleteFrom('enablement.room_collaborators').where('room_id', '=', roomId).execute()
  const { columns, rows } = selectRows(
    collaborators.map(({ user_id, role }) => ({ room_id: roomId, user_id, role })),
    { room_id: 'uuid', user_id: 'uuid', role: 'text' },
  )
  await tx.insertInto('enablement.room_collaborators').columns(columns).expression(rows).execute()
}

export type SectionRow = { id: string; title: string; description: string | null; position: number }

export function listSections(tx: TenantTx, roomId: string): Promise<SectionRow[]> {
  return tx
    .selectFrom('enablement.room_sections')
    .select(['id', 'title', 'description', 'position'])
    .where('room_id', '=', roomId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Items of deleted sections stay in the room without a section. */
export async function deleteOtherSections(tx: TenantTx, roomId: string, keptIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enablement.room_sections')
    .where('room_id', '=', roomId)
    .where('id', '!=', sql<string>`all(${keptIds}::uuid[])`)
    .execute()
}

export async function upsertSections(tx: TenantTx, roomId: string, sections: readonly SectionRow[]): Promise<void> {
  if (!sections.length) return
  const { columns, rows } = selectRows(
    sections.map((section) => ({ ...section, room_id: roomId })),
    { id: 'uuid', room_id: 'uuid', title: 'text', description: 'text', position: 'integer' },
  )
  await tx
    .insertInto('enablement.room_sections')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict.constraint('room_sections_pkey').doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        description: ref('excluded.description'),
        position: ref('excluded.position'),
      })),
    )
    .execute()
}
