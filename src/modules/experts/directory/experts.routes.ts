import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { Expert, ExpertChanges, ExpertParams, ExpertQuery, NewExpert } from '../records/experts.schemas.ts'
import { createExpert, deleteExpert, updateExpert } from './experts.service.ts'
import { listExperts } from './list-experts.service.ts'

export const expertRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/experts/',
      config: { scope: 'experts.read' },
      schema: {
        operationId: 'listExperts',
        summary: 'List experts',
        description: 'The experts with the best ratings first, among equals those with the lowest load.',
        querystring: ExpertQuery,
        response: { 200: pageOf(Expert) },
      },
      handler: (request) => request.inTenant((tx) => listExperts(tx, request.query, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/experts/',
      config: { scope: 'experts.write' },
      schema: {
        operationId: 'createExpert',
        summary: 'Create an expert',
        description:
          'Requires `user_id` and `topics`. Managers and admins add any user but viewers; members add themselves if the setting `experts_self_register` allows it. A user who is already an expert is 409 `already_exists`.',
        body: NewExpert,
        response: { 201: Expert },
      },
      handler: (request) =>
        request.inTenant((tx) => createExpert(tx, request.actor, request.body, { now: clock.now() })),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/experts/:expert_id',
      config: { scope: 'experts.write' },
      schema: {
        operationId: 'updateExpert',
        summary: 'Update an expert',
        description:
          'For the expert, managers and admins. With `is_active` false, requests that the expert has not accepted are given to other experts.',
        params: ExpertParams,
        body: ExpertChanges,
        response: { 200: Expert },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => updateExpert(tx, request.actor, request.params.expert_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/experts/:expert_id',
      config: { scope: 'experts.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deleteExpert',
        summary: 'Delete an expert',
        description:
          'Unanswered requests are given to other experts. Answers, ratings and the history of requests stay.',
        params: ExpertParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteExpert(tx, request.params.expert_id, options))
      },
    })
  }
