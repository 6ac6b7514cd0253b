import { tenantIdOf } from '#platform/db'
import { definePresenter } from '#platform/module'
import { getScoringConfig } from './scoring.queries.ts'
import { VersionedScoringConfig } from './scoring.schemas.ts'

/** The subject is the workspace, which has one config. */
export const scoringConfigPresenter = definePresenter({
  subjectType: 'scoring',
  schema: VersionedScoringConfig,
  async list(tx, ids) {
    const tenantId = tenantIdOf(tx)
    return ids.includes(tenantId) ? [[tenantId, await getScoringConfig(tx)]] : []
  },
})
