import type { Selectable, Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Invitations = Database['surveys.invitations']

const invitationColumns = [
  'id',
  'survey_id',
  'contact_id',
  'lead_id',
  'account_id',
  'language',
  'lifecycle_stage',
  'segment_ids',
  'status',
  'expires_at',
] as const
export type InvitationRow = Pick<Selectable<Invitations>, (typeof invitationColumns)[number]>

export function findInvitationByTokenHash(tx: TenantTx, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('surveys.invitations')
    .select(invitationColumns)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export type OpenLink = { id: string; survey_id: string; revoked_at: Date | null }

export function findLinkByTokenHash(tx: TenantTx, tokenHash: Buffer): Promise<OpenLink | undefined> {
  return tx
    .selectFrom('surveys.links')
    .select(['id', 'survey_id', 'revoked_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export function lockInvitation(tx: TenantTx, id: string): Promise<InvitationRow> {
  return tx
    .selectFrom('surveys.invitations')
    .select(invitationColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateInvitationRow(tx: TenantTx, id: string, fields: Updateable<Invitations>): Promise<void> {
  await tx.updateTable('surveys.invitations').set(fields).where('id', '=', id).execute()
}
