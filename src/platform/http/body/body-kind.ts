import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '#platform/errors'

export type BodyKind = 'json' | 'gzip json' | 'form' | 'multipart'

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json in UTF-8',
  'gzip json': 'application/json in UTF-8',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
}
const maxFormFields = 100

export const bodyKindOf = ({ routeOptions }: FastifyRequest): BodyKind => routeOptions.config.body ?? 'json'

export const unsupportedMediaType = (request: FastifyRequest) =>
  new AppError(415, 'unsupported_media_type', `\`Content-Type\` must be ${mediaTypes[bodyKindOf(request)]}.`)

/** Stands for a multipart body until the handler reads it with `receiveMultipart`. */
export const unreadBody = Object.freeze({})

export function registerOtherParsers(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config = {}, schema }) => {
    if ((config as { body?: BodyKind }).body === 'multipart' && !schema?.body)
      throw new Error(`${method} ${url} must declare schema.body for its multipart fields`)
  })
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (bodyKindOf(request) === 'multipart') done(null, unreadBody)
    else done(unsupportedMediaType(request))
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (bodyKindOf(request) !== 'form') return done(unsupportedMediaType(request))
      try {
        done(null, parseForm(body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

function parseForm(body: Buffer): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (fields.has(name)) throw duplicateField(name)
    if (fields.size === maxFormFields)
      throw invalid('body', '', 'max_items', `The body must not have more than ${maxFormFields} fields.`)
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

export const duplicateField = (name: string) =>
  invalid('body', `/${name}`, 'duplicate', `\`${name.slice(0, 100)}\` must not be sent more than once.`)
