import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { RoomParams } from '../records/room-fields.schemas.ts'
import { NewPlanStep, PlanStep, PlanStepChanges, PlanStepParams } from './plan.schemas.ts'
import { createPlanStep, deletePlanStep, updatePlanStep } from './plan.service.ts'

export const roomPlanRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/rooms/:room_id/plan',
      config: { scope: 'rooms.write' },
      schema: {
        operationId: 'createPlanStep',
        summary: 'Create a plan step',
        description:
          'Requires `title` and `side`. A plan has up to 100 steps. Internal steps are not shown to visitors.',
        params: RoomParams,
        body: NewPlanStep,
        response: { 201: PlanStep },
      },
      handler: (request) =>
        request.inTenant((tx) => createPlanStep(tx, request.actor, request.params.room_id, request.body, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/rooms/:room_id/plan/:step_id',
      config: { scope: 'rooms.write' },
      schema: {
        operationId: 'updatePlanStep',
        summary: 'Update a plan step',
        description: '`position` moves the step within the plan.',
        params: PlanStepParams,
        body: PlanStepChanges,
        response: { 200: PlanStep },
      },
      handler: (request) => {
        const { room_id: roomId, step_id: stepId } = request.params
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updatePlanStep(tx, request.actor, { roomId, stepId }, input, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/rooms/:room_id/plan/:step_id',
      config: { scope: 'rooms.delete' },
      schema: {
        operationId: 'deletePlanStep',
        summary: 'Delete a plan step',
        params: PlanStepParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { room_id: roomId, step_id: stepId } = request.params
        await request.inTenant((tx) => deletePlanStep(tx, request.actor, { roomId, stepId }))
      },
    })
  }
