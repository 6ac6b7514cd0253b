import { tenantIdOf } from '#platform/db'
import { definePresenter } from '#platform/module'
import { VersionedScoringConfig } from './scoring.schemas.ts'
import { getScoringConfig } from './scoring-config.queries.ts'

/** The subject is the workspace, which has one config. */
export const scoringConfigPresenter = definePresenter({
  subjectType: 'scoring',
  schema: VersionedScoringConfig,
  async list(tx, ids) {
    const tenantId = tenantIdOf(tx)
    return ids.includes(tenantId) ? [[tenantId, await getScoringConfig(tx)]] : []
  },
})
