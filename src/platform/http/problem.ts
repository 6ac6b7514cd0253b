import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isDatabaseAway, ranOutOfTime } from '#platform/db'
import { AppError, invalidInput, nothingHere, unavailable } from '#platform/errors'
import { collectInputErrors } from './validation.ts'

const InputProblem = Type.Object({
  in: Type.Enum(['body', 'query', 'path', 'header']),
  path: Type.String({ description: 'JSON Pointer to the value.' }),
  code: Type.String(),
  message: Type.String(),
})

/** RFC 9457. `code` is for programs and never changes, `detail` is for people. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(InputProblem)),
  },
  { title: 'Problem', additionalProperties: true },
)

/** Answers every failure as application/problem+json. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, code, message, extra, headers } = toAppError(error, request)
    if (status >= 500) request.log.error({ err: error, code }, 'request failed')
    return reply
      .code(status)
      .headers(headers)
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send({
        type: `/reference/errors/${code}`,
        title: STATUS_CODES[status],
        status,
        detail: message,
        code,
        request_id: request.id,
        ...extra,
      })
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
}

const knownFailures: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError(422, 'malformed_json', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new AppError(422, 'malformed_json', 'The body is empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(422, 'malformed_json', 'The body is not as long as it says.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, 'unsupported_media_type', 'Send application/json in UTF-8.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, 'too_large', 'The body is too large.'),
}

function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (error.validation) return invalidInput(collectInputErrors(request))
  if (knownFailures[error.code]) return knownFailures[error.code]!
  if (error.code === 'FST_ERR_BAD_URL') return nothingHere()
  if (isDatabaseAway(error)) return unavailable()
  if (ranOutOfTime(error)) return unavailable('This took too long and was given up. Narrow it down, or try again soon.')
  return new AppError(500, 'internal_error', 'Something went wrong on our side. Tell us the request id if it stays.')
}
