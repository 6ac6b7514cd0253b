import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type InputError, invalid, toFieldName } from '#platform/errors'
import { strict } from '#platform/schema'
import type { RouteConfig } from './route-config.ts'
import { toInputErrors } from './validation-messages.ts'

const maxDepth = 20
type Schema = { properties?: Record<string, { 'x-comma-separated'?: boolean }> }

/** Path, query and header values arrive as text and are converted to the type of their schema; bodies are not. */
export function registerValidation(app: FastifyInstance): void {
  const body = once(() => ajv({ coerceTypes: false, useDefaults: true }))
  const text = once(() => ajv({ coerceTypes: 'array', useDefaults: true }))
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    compileOnFirstUse(() =>
      httpPart === 'body' ? body().compile(schema) : splitLists(schema as Schema, text().compile(schema)),
    ),
  )
  app.addHook('onRoute', rejectUnknownQuery)
  app.addHook('preValidation', async (request) => {
    request.query = clean(request.query, 'query')
    request.body = bodyOf(request)
  })
}

/** Rejects query parameters on routes that declare none; on public routes providers and email clients append theirs. */
function rejectUnknownQuery(route: RouteOptions): void {
  if (!(route.config as RouteConfig).public) route.schema = { querystring: strict({}), ...route.schema }
}

function bodyOf(request: FastifyRequest): unknown {
  const body = request.body === undefined ? undefined : clean(request.body, 'body')
  if (request.routeOptions.schema?.body) return body ?? {}
  const isEmpty = body == null || (typeof body === 'object' && Object.keys(body).length === 0)
  if (!isEmpty) throw invalid('body', '', 'unexpected', 'The request must not have a body.')
  return undefined
}

/** Trims all strings except passwords, and rejects characters that PostgreSQL cannot store. */
function clean(value: unknown, where: InputError['in'], path = '', depth = 0): unknown {
  if (depth > maxDepth)
    throw invalid(where, path, 'depth', `The ${where} must not be nested more than ${maxDepth} levels deep.`)
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid(
        where,
        path,
        'characters',
        `\`${toFieldName(path)}\` must not contain null characters or incomplete surrogate pairs.`,
      )
    return /password$/.test(path) ? value : value.trim()
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, where, `${path}/${index}`, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clean(item, where, `${path}/${key}`, depth + 1)]),
  )
}

function ajv(options: { coerceTypes: boolean | 'array'; useDefaults: boolean }) {
  // `verbose` adds the schema to errors, which the messages need.
  const instance = new Ajv2020({ ...options, allErrors: true, verbose: true, removeAdditional: false, strict: false })
  addFormats.default(instance)
  return instance
}

/** Compiling all schemas at start takes longer than the rest of the start. */
function compileOnFirstUse(compile: () => ValidateFunction): ValidateFunction {
  const compiled = once(compile)
  const validate = (data: unknown) => {
    const isValid = compiled()(data)
    Object.assign(validate, { errors: compiled().errors })
    return isValid
  }
  return validate as unknown as ValidateFunction
}

function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

function splitLists({ properties = {} }: Schema, validate: ValidateFunction): ValidateFunction {
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

/** Validates all parts again, because Fastify stops at the first invalid one. */
export function collectInputErrors(request: FastifyRequest): InputError[] {
  return parts.flatMap(({ part, in: where, value }) => {
    const validate = request.getValidationFunction(part) as ValidateFunction | undefined
    if (!validate || validate(value(request))) return []
    return toInputErrors(where, validate.errors ?? [])
  })
}
