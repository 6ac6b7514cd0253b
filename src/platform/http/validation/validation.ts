import { setImmediate as nextTurn } from 'node:timers/promises'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyError, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { type InputError, invalid, invalidInput, toFieldName } from '#platform/errors'
import { addFormats, isStorableText, quickCompilation, strict } from '#platform/schema'
import { isMultipart, unreadBody, unsupportedMediaType } from '../body/body-kind.ts'
import { bodyKindOf } from '../body/body-limits.ts'
import { isLargeBody } from '../body/json-body.ts'
import type { RouteConfig } from '../route-config.ts'
import { toInputErrors } from './validation-messages.ts'

/** Defers expensive work from the start of the process to the first request that needs it. */
export function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

/** Compiles equal schemas once per process: many routes have the same ones, and compiling is expensive. */
function compileOnce<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text)
    if (known) return known
    const result = compile(schema)
    compiled.set(text, result)
    return result
  }
}

const createSerializerFactory = SerializerSelector()

type Serializer = (value: unknown) => string

const compileSerializer = compileOnce(
  (schema) =>
    createSerializerFactory(
      {},
      { ajv: quickCompilation },
    )({ schema, method: 'GET', url: '', httpStatus: '200' }) as Serializer,
)

/** Schemas contain everything they need, so the serializer of a schema is the same in every application. */
export const buildSerializer: typeof createSerializerFactory =
  () =>
  ({ schema }) =>
    createSerializer(schema as TSchema)

/** Returns a function that writes a value as a response with this schema would, so without undeclared fields. */
export function createSerializer(schema: TSchema): Serializer {
  const serialize = once(() => compileSerializer(schema))
  return (value) => serialize()(value)
}

type Path = (string | number)[]
const forbiddenCharacters = 'null characters or incomplete surrogate pairs'

/** Trims all strings except passwords, in place. Rejects what PostgreSQL cannot store: some characters, and infinity (1e400). */
export function cleanInput(value: unknown, where: InputError['in'], path: Path = []): unknown {
  if (typeof value === 'string') return cleanText(value, where, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalid(where, toPointer(path), 'range', `${nameOf(where, path)} is too large for a number.`)
  if (Array.isArray(value)) for (const index of value.keys()) cleanMember(value, index, where, path)
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      if (!isStorableText(key)) throw invalidName(where, path)
      cleanMember(value as Record<string, unknown>, key, where, path)
    }
  }
  return value
}

function cleanMember<K extends string | number>(
  container: Record<K, unknown>,
  key: K,
  where: InputError['in'],
  path: Path,
): void {
  path.push(key)
  const cleaned = cleanInput(container[key], where, path)
  if (cleaned !== container[key]) container[key] = cleaned
  path.pop()
}

function cleanText(text: string, where: InputError['in'], path: Path): string {
  if (!isStorableText(text))
    throw invalid(
      where,
      toPointer(path),
      'characters',
      `${nameOf(where, path)} must not contain ${forbiddenCharacters}.`,
    )
  return String(path.at(-1)).endsWith('password') ? text : text.trim()
}

const invalidName = (where: InputError['in'], path: Path) =>
  invalid(
    where,
    toPointer(path),
    'characters',
    `${nameOf(where, path)} must not have a field name with ${forbiddenCharacters}.`,
  )

const toPointer = (path: Path) =>
  path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const nameOf = (where: InputError['in'], path: Path) =>
  path.length ? `\`${toFieldName(toPointer(path))}\`` : `The ${where}`

type Schema = { properties?: Record<string, { 'x-comma-separated'?: boolean; maxItems?: number }> }

const compileBody = createCompiler({ coerceTypes: false, allErrors: true })
const compileLargeBody = createCompiler({ coerceTypes: false, allErrors: false })
const compileText = createCompiler({ coerceTypes: 'array', allErrors: true })

/** Path, query and header values arrive as text and are converted to the type of their schema; bodies are not. */
export function registerValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<object>(({ schema, httpPart }) => {
    // Compiling all schemas at start takes longer than the rest of the start.
    if (httpPart !== 'body') return chooseValidator(once(() => splitLists(schema as Schema, compileText(schema))))
    const validate = once(() => compileBody(schema))
    const validateLarge = once(() => compileLargeBody(schema))
    return chooseValidator((data) => (data === unreadBody ? accept : isLargeBody(data) ? validateLarge() : validate()))
  })
  app.setSchemaErrorFormatter(() => new Error('The request is invalid.'))
  app.addHook('onRoute', rejectUnknownQuery)
  app.addHook('preParsing', async (request) => {
    if (bodyKindOf(request) === 'multipart' && !isMultipart(request)) rejectUpload(request)
  })
  app.addHook('preValidation', async (request) => {
    request.query = cleanInput(request.query, 'query')
    request.body = bodyOf(request)
    // Parsing and validating megabytes in one turn of the event loop would delay other requests.
    if (request.body !== undefined && isLargeBody(request.body)) await nextTurn()
  })
}

/** Rejects query parameters on routes that declare none; on public routes providers and email clients append theirs. */
function rejectUnknownQuery(route: RouteOptions): void {
  if (!(route.config as RouteConfig).public) route.schema = { querystring: strict({}), ...route.schema }
}

/** Rejects before the body is read, because an upload may be too large for memory. */
function rejectUpload(request: FastifyRequest): never {
  request.query = cleanInput(request.query, 'query')
  const errors = parts
    .filter(({ part }) => part === 'params' || part === 'querystring')
    .flatMap((part) => validatePart(request, part))
  throw errors.length ? invalidInput(errors) : unsupportedMediaType(request)
}

function bodyOf(request: FastifyRequest): unknown {
  const body = request.body === undefined ? undefined : cleanInput(request.body, 'body')
  if (request.routeOptions.schema?.body) return body ?? {}
  const isEmpty = body == null || (typeof body === 'object' && Object.keys(body).length === 0)
  if (!isEmpty) throw invalid('body', '', 'unexpected', 'The request must not have a body.')
  return undefined
}

function createCompiler(options: { coerceTypes: boolean | 'array'; allErrors: boolean }) {
  const ajv = once(() => {
    // `verbose` adds the schema to errors, which the messages need.
    const instance = new Ajv2020({
      ...options,
      ...quickCompilation,
      useDefaults: true,
      verbose: true,
      removeAdditional: false,
      strict: false,
    })
    addFormats(instance)
    return instance
  })
  return compileOnce((schema) => ajv().compile(schema))
}

const accept = (() => true) as unknown as ValidateFunction

function chooseValidator(choose: (data: unknown) => ValidateFunction): ValidateFunction {
  const validate = (data: unknown) => {
    const chosen = choose(data)
    const isValid = chosen(data)
    Object.assign(validate, { errors: chosen.errors })
    return isValid
  }
  return validate as unknown as ValidateFunction
}

function splitLists({ properties = {} }: Schema, validate: ValidateFunction): ValidateFunction {
  const lists = Object.entries(properties).filter(([, schema]) => schema['x-comma-separated'])
  if (!lists.length) return validate
  return chooseValidator((data) => {
    const query = data as Record<string, unknown>
    for (const [name, { maxItems }] of lists) {
      const value = query[name]
      if (typeof value === 'string') query[name] = value.split(',', maxItems && maxItems + 1)
    }
    return validate
  })
}

const parts = [
  { part: 'params', in: 'path', value: ({ params }: FastifyRequest) => params },
  { part: 'body', in: 'body', value: ({ body }: FastifyRequest) => body },
  { part: 'querystring', in: 'query', value: ({ query }: FastifyRequest) => query },
  { part: 'headers', in: 'header', value: ({ headers }: FastifyRequest) => headers },
] as const

/** Adds the errors of the parts that Fastify has not validated, because it stops at the first invalid one. */
export function collectInputErrors(
  request: FastifyRequest,
  { validation, validationContext }: FastifyError,
): InputError[] {
  const failed = parts.findIndex(({ part }) => part === validationContext)
  return parts
    .slice(failed)
    .flatMap((part, index) =>
      index === 0 ? toInputErrors(part.in, validation as unknown as ErrorObject[]) : validatePart(request, part),
    )
}

function validatePart(request: FastifyRequest, { part, in: where, value }: (typeof parts)[number]): InputError[] {
  const validate = request.getValidationFunction(part) as ValidateFunction | undefined
  return !validate || validate(value(request)) ? [] : toInputErrors(where, validate.errors ?? [])
}
