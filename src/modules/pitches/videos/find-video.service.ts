import { findFileReader } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { gone, notFound, unauthenticated } from '#platform/errors'
import type { FileTicket } from '#platform/http'
import { getVisibleSubmission } from '../submissions/submission-access.service.ts'

/** The user of the request, or of the ticket that replaces the credential. */
type VideoReader = { actor: UserActor | null; ticket: FileTicket | null }

/** Returns the id of the file. The retention of the submission decides before the file is looked up. */
export async function findPitchVideo(tx: TenantTx, id: string, { actor, ticket }: VideoReader): Promise<string> {
  const reader = ticket ? await readTicketUser(tx, ticket) : actor
  if (!reader) throw unauthenticated()
  const { submission } = await getVisibleSubmission(tx, reader, id)
  if (submission.video_deleted_at)
    throw gone('video_deleted', 'The video was deleted, because its retention period has ended.')
  if (!submission.file_id) throw notFound('video')
  return submission.file_id
}

/** A ticket ends when its user is deactivated or signs out everywhere. */
async function readTicketUser(tx: TenantTx, { userId, issuedAt }: FileTicket): Promise<UserActor> {
  const user = userId ? await findFileReader(tx, userId, issuedAt) : undefined
  if (!userId || !user?.hasSession)
    throw unauthenticated('authentication_required', 'The user of the ticket is signed out. Request a new URL.')
  return { ...actorOf(tx), userId, role: user.role }
}
