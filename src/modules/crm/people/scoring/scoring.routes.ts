import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../lead-records/leads.schemas.ts'
import { replaceScoringConfig } from './replace-scoring-config.service.ts'
import { getScoringConfig, recomputeLeadScore } from './rescore-leads.service.ts'
import { RecomputedScore, ReplacedScoringConfig, ScoringConfig, VersionedScoringConfig } from './scoring.schemas.ts'

export const scoringRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/leads/scoring-config',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'getScoringConfig',
        summary: 'Get the lead scoring config',
        response: { 200: VersionedScoringConfig },
      },
      handler: (request) => request.inTenant(getScoringConfig),
    })

    app.route({
      method: 'PUT',
      url: '/api/leads/scoring-config',
      config: { scope: 'leads.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'replaceScoringConfig',
        summary: 'Replace the lead scoring config',
        description:
          'Rescores all leads: up to 200 within the request, more in a background task. ' +
          'A new config cancels the task of an older one, and all leads end with the newest config.',
        body: ScoringConfig,
        response: { 200: ReplacedScoringConfig },
      },
      handler: (request) => {
        const input = { config: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => replaceScoringConfig(tx, request.actor, input))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/recompute-score',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'recomputeLeadScore',
        summary: 'Recompute the score of a lead',
        description: 'Returns the previous and the current score with the reasons.',
        params: LeadParams,
        response: { 200: RecomputedScore },
      },
      handler: (request) => request.inTenant((tx) => recomputeLeadScore(tx, request.params.lead_id, clock.now())),
    })
  }
