import { isPassed } from './scorecard.rules.ts'
import type { SessionRow } from './session-row.ts'
import type { PracticeReason } from './sessions.schemas.ts'

type Practiced = Pick<SessionRow, 'is_private' | 'practice_reason'>

/** Only evidence completes modules of learning paths and counts for readiness. Returns null for evidence. */
export const practiceReasonOf = ({ is_private, practice_reason }: Practiced): PracticeReason | null =>
  is_private ? 'private' : practice_reason

type Judged = Pick<SessionRow, 'practice_reason' | 'scenario_snapshot'>

/** Private sessions tell their seller whether they would have been passed; other practice is not judged. */
export const judgeScore = (score: number | null, { practice_reason, scenario_snapshot }: Judged): boolean | null =>
  practice_reason === null ? isPassed(score, scenario_snapshot) : null
