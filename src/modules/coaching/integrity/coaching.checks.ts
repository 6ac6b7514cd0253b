import { secondsLater } from '#platform/clock'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { endRoleplay } from '../roleplays/end-roleplay.flow.ts'
import { findLostEvaluations, findRoleplaysWithGaps, listEvaluatingRoleplays } from './integrity.queries.ts'

/** A schedule scores lost evaluations after two minutes. */
const lostSeconds = 600

export const coachingChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'roleplay_evaluation_lost',
    title: 'Roleplay whose evaluation does not end',
    severity: 'error',
    hint: 'A repair scores the roleplay with rules. Check that the schedule enablement.finish_roleplays runs.',
    resourceType: 'coaching_session',
    find: (tx, limit) => findLostEvaluations(tx, secondsLater(clock.now(), -lostSeconds), limit),
    async repair(tx, ids) {
      let repaired = 0
      for (const roleplay of await listEvaluatingRoleplays(tx, ids))
        if (await endRoleplay((work) => work(tx), roleplay, clock.now())) repaired++
      return repaired
    },
  }),
  defineRecordCheck({
    code: 'roleplay_message_gap',
    title: 'Roleplay with missing messages',
    severity: 'error',
    hint: 'Restore the messages from a backup; the scorecard refers to their numbers.',
    resourceType: 'coaching_session',
    find: findRoleplaysWithGaps,
  }),
]
