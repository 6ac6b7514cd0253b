import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '#platform/errors'
import type { BodyKind } from '../route-config.ts'
import { bodyKindOf, bodyTooLarge } from './body-limits.ts'

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json in UTF-8',
  'gzip json': 'application/json in UTF-8',
  form: 'application/x-www-form-urlencoded or multipart/form-data',
  multipart: 'multipart/form-data',
}
const defaultFormFields = 100

export const unsupportedMediaType = (request: FastifyRequest) =>
  new AppError(415, 'unsupported_media_type', `\`Content-Type\` must be ${mediaTypes[bodyKindOf(request)]}.`)

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Stands for a multipart body until the handler reads it with `receiveMultipart`. */
export const unreadBody = Object.freeze({})

export function registerOtherParsers(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config = {}, schema }) => {
    if ((config as { body?: BodyKind }).body === 'multipart' && !schema?.body)
      throw new Error(`${method} ${url} must declare schema.body for its multipart fields`)
  })
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    const kind = bodyKindOf(request)
    if (kind === 'multipart') done(null, unreadBody)
    else if (kind === 'form') parseMultipartForm(request, payload).then((fields) => done(null, fields), done)
    else done(unsupportedMediaType(request))
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (bodyKindOf(request) !== 'form') return done(unsupportedMediaType(request))
      try {
        done(null, toFields(new URLSearchParams(body.toString('utf8')), formFieldsOf(request)))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** A form without files, as mail providers send it to unsubscribe (RFC 8058). */
async function parseMultipartForm(request: FastifyRequest, payload: Readable) {
  const { headers, routeOptions } = request
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > routeOptions.bodyLimit) throw bodyTooLarge(routeOptions.bodyLimit)
    chunks.push(chunk)
  }
  const body = new Response(Buffer.concat(chunks), { headers: { 'content-type': headers['content-type']! } })
  const form = await body.formData().catch(() => {
    throw new AppError(422, 'validation_failed', 'The body must be complete and valid multipart/form-data.')
  })
  return toFields(form, formFieldsOf(request))
}

const formFieldsOf = ({ routeOptions }: FastifyRequest): number => routeOptions.config.formFields ?? defaultFormFields

function toFields(entries: Iterable<[string, string | File]>, maxFields: number): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of entries) {
    if (fields.has(name)) throw duplicateField(name)
    if (typeof value !== 'string')
      throw invalid('body', `/${name}`, 'unexpected', `\`${name.slice(0, 100)}\` must not be a file.`)
    if (fields.size === maxFields)
      throw invalid(
        'body',
        '',
        'max_items',
        `The body must not have more than ${maxFields.toLocaleString('en')} fields.`,
      )
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

export const duplicateField = (name: string) =>
  invalid('body', `/${name}`, 'duplicate', `\`${name.slice(0, 100)}\` must not be sent more than once.`)
