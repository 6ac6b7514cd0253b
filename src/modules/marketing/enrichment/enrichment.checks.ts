import { tenantIdOf } from '#platform/db'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { correctCredits, findCreditDrift } from './jobs/credits.queries.ts'
import { creditMonthOf } from './settings/enrichment-settings.service.ts'

export const enrichmentChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'enrichment_credits_drift',
    title: 'Enrichment credits of the month do not match its jobs',
    severity: 'warning',
    hint: 'A repair counts the credits of the current month again.',
    resourceType: 'workspace',
    async find(tx) {
      return (await findCreditDrift(tx, creditMonthOf(clock.now()))) ? [tenantIdOf(tx)] : []
    },
    repair: (tx) => correctCredits(tx, creditMonthOf(clock.now())),
  }),
]
