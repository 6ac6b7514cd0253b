import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Links = Database['surveys.links']

const linkColumns = ['id', 'survey_id', 'token_kid', 'token_cipher', 'revoked_at', 'created_at'] as const
export type LinkRow = Pick<Selectable<Links>, (typeof linkColumns)[number]>

export function listLiveLinks(tx: TenantTx, surveyIds: readonly string[]): Promise<LinkRow[]> {
  return tx
    .selectFrom('surveys.links')
    .select(linkColumns)
    .where('survey_id', '=', sql<string>`any(${surveyIds}::uuid[])`)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function hasLink(tx: TenantTx, surveyId: string): Promise<boolean> {
  const link = await tx
    .selectFrom('surveys.links')
    .select('id')
    .where('survey_id', '=', surveyId)
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}

export function insertLink(tx: TenantTx, link: Insertable<Links>): Promise<LinkRow> {
  return tx.insertInto('surveys.links').values(link).returning(linkColumns).executeTakeFirstOrThrow()
}

/** Returns the link that was revoked, if there was one. */
export function revokeLinkRow(tx: TenantTx, surveyId: string, now: Date): Promise<LinkRow | undefined> {
  return tx
    .updateTable('surveys.links')
    .set({ revoked_at: now })
    .where('survey_id', '=', surveyId)
    .where('revoked_at', 'is', null)
    .returning(linkColumns)
    .executeTakeFirst()
}
