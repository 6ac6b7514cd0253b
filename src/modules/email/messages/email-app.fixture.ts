import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp, waitForValue } from '#testing'
import { addEmailKinds } from './email-kinds.fixture.ts'
import { type NewEmail, queueEmails } from './queue-emails.service.ts'

export async function startEmailApp(environment = {}, options: { onLine?: (line: string) => void } = {}) {
  const app = await startTestApp(environment, { ...options, prepare: addEmailKinds })
  const inWorkspace = <T>({ id }: { id: string }, work: (tx: TenantTx) => Promise<T>) =>
    inTenant(app.db, systemActor(id), work)

  async function readEmails({ id }: { id: string }) {
    const { rows } = await app.owner.query(
      `select id, to_address, state, attempts, skip_reason, last_error, message_id, subject, body_text, sent_at, run_at, replied_at
       from crm.email_messages where tenant_id = $1 order by to_address`,
      [id],
    )
    return rows
  }

  return {
    ...app,
    inWorkspace,
    /** Queues one newsletter per address and returns the ids. */
    queue: (workspace: { id: string }, addresses: string[], email: Partial<NewEmail> = {}) =>
      inWorkspace(workspace, (tx) =>
        queueEmails(
          tx,
          addresses.map((address) => ({
            kind: 'newsletter',
            ref_id: newId(),
            to: { address, name: 'Ada' },
            run_at: app.clock.now(),
            ...email,
          })),
        ),
      ),
    readEmails,
    waitForEmails: (workspace: { id: string }) =>
      waitForValue(
        () => readEmails(workspace),
        (emails) => emails.every(({ state, attempts }) => state !== 'claimed' && (state !== 'waiting' || attempts > 0)),
      ),
  }
}
