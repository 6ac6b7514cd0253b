import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { correctLevels, findWrongLevels } from './readiness-integrity.queries.ts'

export const readinessChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'readiness_level_wrong',
    title: 'User whose level of readiness differs from the score',
    severity: 'warning',
    hint: 'A repair sets the level of the score.',
    resourceType: 'user',
    find: findWrongLevels,
    repair: correctLevels,
  }),
]
