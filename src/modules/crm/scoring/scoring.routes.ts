import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../leads/leads.schemas.ts'
import { NumberedConfig, RecomputedScore, ReplacedConfig, ScoringConfig } from './scoring.schemas.ts'
import { readScoringConfig, recomputeScore } from './scoring.service.ts'
import { replaceScoringConfig } from './scoring-config.service.ts'

export const scoringRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/leads/scoring-config',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'readScoringConfig',
        summary: 'Read the rules leads are scored by',
        response: { 200: NumberedConfig },
      },
      handler: (request) => request.inTenant(readScoringConfig),
    })

    app.route({
      method: 'PUT',
      url: '/api/leads/scoring-config',
      config: { scope: 'leads.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'replaceScoringConfig',
        summary: 'Replace the rules leads are scored by',
        description:
          'All leads are scored anew: up to 200 before the answer comes, more by a task. ' +
          'New rules stop the task of older ones, and every lead ends with the newest.',
        body: ScoringConfig,
        response: { 200: ReplacedConfig },
      },
      handler: (request) => {
        const replacement = { config: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => replaceScoringConfig(tx, request.actor, replacement))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/recompute-score',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'recomputeScore',
        summary: 'Score a lead anew, and say why',
        params: LeadParams,
        response: { 200: RecomputedScore },
      },
      handler: (request) => request.inTenant((tx) => recomputeScore(tx, request.params.lead_id, clock.now())),
    })
  }
