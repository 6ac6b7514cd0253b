import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type InputError, invalid } from '#platform/errors'
import { strict } from '#platform/schema'
import type { RouteConfig } from './route-config.ts'

const maxDepth = 20
type Schema = { properties?: Record<string, { 'x-comma-separated'?: boolean }> }

/** Bodies are taken as they are; everything else arrives as text and is read as what the schema wants. */
export function validateStrictly(app: FastifyInstance): void {
  const body = ajv({ coerceTypes: false, useDefaults: true })
  const text = ajv({ coerceTypes: 'array', useDefaults: true })
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    httpPart === 'body' ? body.compile(schema) : splitting(schema as Schema, text.compile(schema)),
  )
  app.addHook('onRoute', refuseWhatIsNotAskedFor)
  app.addHook('preValidation', async (request) => {
    request.query = clean(request.query, 'query')
    request.body = bodyOf(request)
  })
}

/** A route that names no query parameters takes none. On public routes providers and mail tools add their own. */
function refuseWhatIsNotAskedFor(route: RouteOptions): void {
  if (!(route.config as RouteConfig).public) route.schema = { querystring: strict({}), ...route.schema }
}

/** No body counts as an empty one; a route that takes none refuses anything more. */
function bodyOf(request: FastifyRequest): unknown {
  const body = request.body === undefined ? undefined : clean(request.body, 'body')
  if (request.routeOptions.schema?.body) return body ?? {}
  const isEmpty = body == null || (typeof body === 'object' && Object.keys(body).length === 0)
  if (!isEmpty) throw invalid('body', '', 'unexpected', 'This request takes no body.')
  return undefined
}

/** Trims every string, and refuses what PostgreSQL could not store. Passwords are compared exactly, so they stay as they are. */
function clean(value: unknown, where: InputError['in'], path = '', depth = 0): unknown {
  if (depth > maxDepth) throw invalid(where, path, 'depth', `The ${where} is nested more than ${maxDepth} levels deep.`)
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid(where, path, 'characters', `${path} contains characters that cannot be stored.`)
    return /password$/.test(path) ? value : value.trim()
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, where, `${path}/${index}`, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clean(item, where, `${path}/${key}`, depth + 1)]),
  )
}

function ajv(options: { coerceTypes: boolean | 'array'; useDefaults: boolean }) {
  const instance = new Ajv2020({ ...options, allErrors: true, removeAdditional: false, strict: false })
  addFormats.default(instance)
  return instance
}

/** `status=new,open` is two values. Ajv sees them apart. */
function splitting({ properties = {} }: Schema, validate: ValidateFunction): ValidateFunction {
  const fields = Object.keys(properties).filter((name) => properties[name]!['x-comma-separated'])
  if (!fields.length) return validate
  const split = (data: Record<string, unknown>) => {
    for (const field of fields) {
      const value = data[field]
      if (typeof value === 'string') data[field] = value.split(',')
    }
    const isValid = validate(data)
    Object.assign(split, { errors: validate.errors })
    return isValid
  }
  return split as unknown as ValidateFunction
}

const parts = [
  { part: 'params', in: 'path', value: ({ params }: FastifyRequest) => params },
  { part: 'querystring', in: 'query', value: ({ query }: FastifyRequest) => query },
  { part: 'headers', in: 'header', value: ({ headers }: FastifyRequest) => headers },
  { part: 'body', in: 'body', value: ({ body }: FastifyRequest) => body },
] as const

/** Fastify stops at the first part that is wrong; the caller wants to hear of all of them at once. */
export function collectInputErrors(request: FastifyRequest): InputError[] {
  return parts.flatMap(({ part, in: where, value }) => {
    const validate = request.getValidationFunction(part) as ValidateFunction | undefined
    if (!validate || validate(value(request))) return []
    return (validate.errors ?? []).filter(isTelling).map((error) => toInputError(where, error))
  })
}

/** A value that fits no branch of "this or null" fails several times; the branch for null tells nothing. */
const isTelling = ({ keyword, params }: ErrorObject) =>
  keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'null')

function toInputError(where: InputError['in'], error: ErrorObject): InputError {
  const { missingProperty, additionalProperty, allowedValues } = error.params
  const field = missingProperty ?? additionalProperty
  const path = field === undefined ? error.instancePath : `${error.instancePath}/${field}`
  const hint = allowedValues ? `: ${allowedValues.join(', ')}` : ''
  return { in: where, path, code: error.keyword, message: `${path || 'The value'} ${error.message}${hint}.` }
}
