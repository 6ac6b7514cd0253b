import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask } from '#platform/schema'
import { PitchEvaluation } from '../submissions/evaluation.schemas.ts'
import { SubmissionParams } from '../submissions/submissions.schemas.ts'
import { evaluatePitchSubmission } from './evaluate-pitch.flow.ts'

export const pitchEvaluationRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/pitch/submissions/:submission_id/evaluate',
      config: { scope: 'pitch.write', notWhileImpersonating: true },
      schema: {
        operationId: 'evaluatePitchSubmission',
        summary: 'Evaluate a pitch submission',
        description:
          'For the author, coaches and reviewers. A pitch with a transcript is scored now. A recording without one is transcribed by a task (202), if the workspace has a provider for it. A new evaluation replaces the last one.',
        params: SubmissionParams,
        response: { 200: PitchEvaluation, 202: AcceptedTask },
      },
      handler: async (request, reply) => {
        const { submission_id: id } = request.params
        const result = await evaluatePitchSubmission(services, request.actor, id, (work) => request.inTenant(work))
        return 'task_id' in result ? reply.code(202).send(result) : result
      },
    })
  }
