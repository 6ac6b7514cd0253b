import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors'
import { sendPublicPage } from '#platform/http'
import { buildClosedPage } from './closed-page.ts'
import { createPageContext, readPageSettings } from './page-context.ts'

/** Sends a page in the look of the workspace if the link does not let the visitor in. */
export async function orClosedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  show: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof AppError) || ![403, 404, 410].includes(error.status)) throw error
    const settings = await request.inTenant((tx) => readPageSettings(tx, request.tenant.name))
    const context = createPageContext(request, settings)
    reply.code(error.status)
    return sendPublicPage(request, reply, context.theme, buildClosedPage(error, context))
  }
}
