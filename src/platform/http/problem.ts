import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isDatabaseTimeout, isDatabaseUnavailable, isTransactionConflict } from '#platform/db'
import { AppError, invalidInput, unavailable } from '#platform/errors'
import type { DescribeUnmatched } from './allowed-methods.ts'
import type { ApplicationFiles } from './application/application-files.ts'
import { opensApplication, sendApplicationPage } from './application/application-page.ts'
import { unsupportedMediaType } from './body/body-kind.ts'
import { bodyTooLarge, incompleteBody } from './body/body-limits.ts'
import { acceptsErrorPage, sendErrorPage } from './public/error-page.ts'
import { collectInputErrors } from './validation/validation.ts'

const InputErrorSchema = Type.Object({
  in: Type.Enum(['body', 'query', 'path', 'header']),
  path: Type.String({ description: 'JSON Pointer to the invalid value.' }),
  code: Type.String(),
  message: Type.String(),
})

export const ProblemDetails = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(InputErrorSchema)),
  },
  { title: 'Problem', additionalProperties: true },
)

export function registerErrorHandler(
  app: FastifyInstance,
  {
    describeUnmatched,
    applicationFiles,
  }: { describeUnmatched: DescribeUnmatched; applicationFiles?: ApplicationFiles },
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = toAppError(error, request)
    const { status, code, headers } = appError
    if (status >= 500) request.log.error({ err: error, code }, 'request failed')
    reply.code(status).headers(headers)
    if (acceptsErrorPage(request)) return sendErrorPage(request, reply, appError)
    return reply.type('application/problem+json').serializer(JSON.stringify).send(toProblem(appError, request.id))
  })
  app.setNotFoundHandler((request, reply) => {
    if (applicationFiles && opensApplication(request)) return sendApplicationPage(request, reply, applicationFiles)
    throw describeUnmatched(request)
  })
}

export const toProblem = ({ status, code, message, extra }: AppError, requestId: string) => ({
  type: `/reference/errors/${code}`,
  title: STATUS_CODES[status],
  status,
  detail: message,
  code,
  request_id: requestId,
  ...extra,
})

const knownFailures: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError(422, 'malformed_json', 'The body must be valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new AppError(422, 'malformed_json', 'The body must not be empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(
    422,
    'malformed_json',
    '`Content-Length` must equal the length of the body.',
  ),
}

function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (error === request.raw.errored) return incompleteBody()
  if (error.validation) return invalidInput(collectInputErrors(request, error))
  if (knownFailures[error.code]) return knownFailures[error.code]!
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request.routeOptions.bodyLimit)
  if (isDatabaseUnavailable(error)) return unavailable()
  if (isTransactionConflict(error))
    return unavailable('The same records are being changed by other requests. Try again soon.')
  if (isDatabaseTimeout(error))
    return unavailable('The request took too long and was cancelled. Use a narrower filter, or try again soon.')
  return new AppError(
    500,
    'internal_error',
    'Something went wrong on our side. If the problem persists, contact support with the request id.',
  )
}
