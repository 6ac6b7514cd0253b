import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#platform/errors'
import { type Routes, sendPublicPage } from '#platform/http'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { updatePublicPlanStep } from '../visits/public-plan.service.ts'
import { planLimits } from '../visits/visits.public.routes.ts'
import { PublicStepParams } from '../visits/visits.schemas.ts'
import { buildRefusedStepPage, orClosedPage } from './closed-page.ts'
import { buildGatePage } from './gate-page.ts'
import { createPageContext } from './page-context.ts'
import { readRoomPage } from './read-room-page.flow.ts'
import { createVisitCookies } from './visit-cookies.ts'

const StepForm = strict({ status: Type.Optional(Type.Enum(['done', 'todo'])) })

type PlanServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type StepChange = {
  shareToken: string
  visitToken: string | undefined
  stepId: string
  status: 'done' | 'todo'
}

/** Steps of the plan without a script. The cookie of the visit is `SameSite`, so other sites cannot send the form. */
export const planPageRoutes =
  ({ clock, files, config }: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const cookies = createVisitCookies(config)

    app.route({
      method: 'POST',
      url: '/r/:share_token/plan/:step_id',
      config: {
        public: true,
        tokenParam: 'share_token',
        tag: 'rooms',
        body: 'form',
        bodyLimit: 4_096,
        limits: planLimits,
      },
      schema: { hide: true, params: PublicStepParams, body: StepForm },
      handler: (request, reply) =>
        orClosedPage(request, reply, () => {
          const { share_token: shareToken, step_id: stepId } = request.params
          const visitToken = cookies.read(request, 'room_visit')
          const change = { shareToken, visitToken, stepId, status: request.body.status ?? 'done' }
          return changeStepOnPage({ clock, files, tokens }, request, reply, change)
        }),
    })
  }

/** Changes the step and shows the plan, or a page that says why the step was not changed. */
export async function changeStepOnPage(
  services: PlanServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { shareToken, visitToken, stepId, status }: StepChange,
): Promise<FastifyReply> {
  try {
    const input = { shareToken, visitToken, stepId, changes: { status } }
    await request.inTenant((tx) => updatePublicPlanStep(tx, services, input))
    return reply.code(303).header('location', `/r/${shareToken}#plan`).send()
  } catch (error) {
    if (!(error instanceof AppError) || ![403, 404].includes(error.status)) throw error
    const opened = { inTenant: request.inTenant.bind(request), tenantId: request.tenant.id, shareToken, visitToken }
    const { state, visit, settings } = await readRoomPage(services, opened)
    const context = createPageContext(request, settings, state.room?.branding ?? state.branding)
    reply.code(error.status)
    return sendPublicPage(request, reply, context.theme, buildRefusal())

    function buildRefusal() {
      if (!state.room) return buildGatePage({ requires: state.requires ?? [] }, context)
      if (visit?.is_preview) return buildRefusedStepPage('preview', context)
      if (error instanceof AppError && ['email_required', 'visit_required'].includes(error.code))
        return buildGatePage({ requires: ['email'], stepId }, context)
      return buildRefusedStepPage('step', context)
    }
  }
}
