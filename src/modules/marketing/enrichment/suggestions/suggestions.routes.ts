import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { listOpenSuggestions } from './suggestions.queries.ts'
import { Suggestion, SuggestionParams, SuggestionQuery } from './suggestions.schemas.ts'
import { acceptEnrichmentSuggestion, rejectEnrichmentSuggestion } from './suggestions.service.ts'

export const suggestionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enrichment/suggestions',
      config: { scope: 'enrichment.read', scopes: ['leads.read', 'contacts.read', 'accounts.read'] },
      schema: {
        operationId: 'listEnrichmentSuggestions',
        summary: 'List enrichment suggestions',
        description: 'Open suggestions, newest first.',
        querystring: SuggestionQuery,
        response: { 200: pageOf(Suggestion) },
      },
      handler: (request) => request.inTenant((tx) => listOpenSuggestions(tx, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enrichment/suggestions/:suggestion_id/accept',
      config: { scope: 'enrichment.write' },
      schema: {
        operationId: 'acceptEnrichmentSuggestion',
        summary: 'Accept an enrichment suggestion',
        description:
          'Writes the suggested value as a value of the user, which is not overwritten later. Also requires the write scope of the record.',
        params: SuggestionParams,
        response: { 200: Suggestion },
      },
      handler: (request) =>
        request.inTenant((tx) => acceptEnrichmentSuggestion(tx, request.actor, request.params.suggestion_id, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/enrichment/suggestions/:suggestion_id/reject',
      config: { scope: 'enrichment.write' },
      schema: {
        operationId: 'rejectEnrichmentSuggestion',
        summary: 'Reject an enrichment suggestion',
        description: 'The value is not suggested again for this record. Also requires the write scope of the record.',
        params: SuggestionParams,
        response: { 200: Suggestion },
      },
      handler: (request) =>
        request.inTenant((tx) => rejectEnrichmentSuggestion(tx, request.actor, request.params.suggestion_id, services)),
    })
  }
