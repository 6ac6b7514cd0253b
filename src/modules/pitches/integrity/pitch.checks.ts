import type { TenantTx } from '#platform/db'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { listStaleAssignmentIds, refreshAssignments } from '../prompts/assignments.queries.ts'
import { deleteRecordings } from '../submissions/delete-submission.service.ts'
import { findPitchesWithoutFile, lockPitchesWithoutFile, markPitchVideosLost } from './integrity.queries.ts'

export const pitchChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'pitch_recording_missing',
    title: 'Pitch without its recording',
    severity: 'error',
    hint: 'Restore the file from a backup. A repair marks the recording as deleted.',
    resourceType: 'pitch_submission',
    find: findPitchesWithoutFile,
    repair: (tx, ids) => markRecordingsDeleted(tx, { clock }, ids),
  }),
  defineRecordCheck({
    code: 'pitch_assignment_outdated',
    title: 'Assignment without its best pitch',
    severity: 'warning',
    hint: 'A repair derives status and best pitch of the assignment from its pitches.',
    resourceType: 'pitch_assignment',
    find: listStaleAssignmentIds,
    repair: refreshAssignments,
  }),
]

async function markRecordingsDeleted(
  tx: TenantTx,
  { clock }: Pick<Services, 'clock'>,
  ids: readonly string[],
): Promise<number> {
  const pitches = await lockPitchesWithoutFile(tx, ids)
  await deleteRecordings(tx, { clock }, pitches)
  return await markPitchVideosLost(
    tx,
    pitches.map(({ id }) => id),
    clock.now(),
  )
}
