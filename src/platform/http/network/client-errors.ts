import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { toProblem } from '../problem.ts'
import { constantHeaders } from './headers.ts'

const headers = {
  ...constantHeaders,
  connection: 'close',
  'content-type': 'application/problem+json; charset=utf-8',
}

type ClientError = Error & { code?: string }

/** Responds to requests that the HTTP parser of Node rejects, which never become a Fastify request. */
export function rejectClientError(log: FastifyBaseLogger, error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const problem = toClientError(error)
  const requestId = newId()
  log.info({ request_id: requestId, code: error.code, status: problem.status }, 'request rejected by the HTTP parser')
  if (socket.writable && !isResponding(socket)) socket.write(toResponse(problem, requestId))
  socket.destroySoon()
}

/** True if a part of an earlier response was sent on the connection, which another response would corrupt. */
function isResponding(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return response?.headersSent ?? false
}

function toClientError({ code }: ClientError): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError(408, 'request_timeout', 'The request was not received in time. Send it again.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError(431, 'headers_too_large', 'The request line and headers must not exceed 16 KiB.')
  return new AppError(400, 'malformed_request', 'The request must be valid HTTP/1.1.')
}

function toResponse(error: AppError, requestId: string): string {
  const body = JSON.stringify(toProblem(error, requestId))
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`
}
