import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { listWrongReferences, listWrongStates, repairSegments } from './check-segments.service.ts'

/** Rules are parsed again, because what they refer to may have been changed by an import or by hand. */
export const segmentChecks = (services: Pick<Services, 'registry'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'segment_state',
    title: 'Segment with a wrong state',
    severity: 'warning',
    hint: 'Parse the rules again and store whether they are valid.',
    resourceType: 'segment',
    find: (tx, limit) => listWrongStates(tx, limit, services),
    repair: (tx, ids) => repairSegments(tx, ids, services),
  }),
  defineRecordCheck({
    code: 'segment_references',
    title: 'Segment with wrong references',
    severity: 'warning',
    hint: 'Derive the references from the rules again.',
    resourceType: 'segment',
    find: listWrongReferences,
    repair: (tx, ids) => repairSegments(tx, ids, services),
  }),
]
