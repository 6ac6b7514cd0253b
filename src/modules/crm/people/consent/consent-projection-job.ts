import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'
import { strictestEmailStatus } from './consent.rules.ts'
import { type ConsentProjection, type ProjectedChannel, upsertProjections } from './consent-projections.queries.ts'

export const projectConsentJob = defineJob('crm.project_consent', 'bulk', Type.Object({}))

type StoredChange = { channel: string; subject: string | null; from: string; to: string }

/** Copies changed consent to the records in a job. Requires locked consent, so that the job sees the change. */
export async function projectConsentLater(tx: TenantTx, changes: readonly StoredChange[]): Promise<void> {
  const projections = changes.flatMap(({ channel, subject, from, to }): ConsentProjection[] =>
    subject === null || channel === 'survey'
      ? []
      : [
          {
            subject,
            channel: channel as ProjectedChannel,
            strictest_status: channel === 'email' ? strictestEmailStatus([from, to]) : to,
          },
        ],
  )
  if (!projections.length) return
  await upsertProjections(tx, projections)
  await enqueue(tx, projectConsentJob, {}, { singletonKey: 'project' })
}
