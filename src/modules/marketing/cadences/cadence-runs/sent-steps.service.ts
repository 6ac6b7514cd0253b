import { listEmailsSentTo } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { listRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { cadenceEmailKind } from './cadence-email-kind.ts'

/** A step whose email was sent to an address, by any enrollment. */
export type SentStep = Pick<RunRow, 'enrollment_id' | 'step_id' | 'bounced_at'> & { email_key: string; sent_at: Date }

export async function listSentSteps(tx: TenantTx, emailKeys: readonly string[]): Promise<SentStep[]> {
  const emails = await listEmailsSentTo(tx, cadenceEmailKind, emailKeys)
  const runs = await listRuns(
    tx,
    emails.map(({ id }) => id),
  )
  const emailById = new Map(emails.map((email) => [email.id, email]))
  return runs.map(({ id, enrollment_id, step_id, bounced_at, done_at, run_at }) => {
    const { to_key, sent_at } = emailById.get(id)!
    return { enrollment_id, step_id, bounced_at, email_key: to_key, sent_at: sent_at ?? done_at ?? run_at }
  })
}
