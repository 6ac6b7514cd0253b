import type { ErrorObject } from 'ajv/dist/2020.js'
import {
  type InputError,
  listAlternatives,
  maxReportedErrors,
  nearestNames,
  shortenText,
  suggestNames,
  toFieldName,
} from '#platform/errors'

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const formatSentences: Record<string, string> = {
  email: 'must be a valid email address',
  uuid: 'must be a UUID',
  'date-time': 'must be a date and time such as 2026-03-01T09:30:00Z',
  date: 'must be a date such as 2026-03-01',
  uri: 'must be a valid URL',
}

const identifier = 'must contain only lower-case letters, digits and underscores'
const decimal = 'must be a decimal number such as 1250.00'

/** Sentences for patterns, by a part of the pattern; the first match counts. */
const patternSentences: [part: string, sentence: string][] = [
  ['^(me|', 'must be a UUID or `me`'],
  ['^(none|', 'must be a UUID or `none`'],
  ['^[A-Z]{2}$', 'must be a two-letter country code such as DE'],
  ['^[A-Z]{3}$', 'must be a three-letter currency code such as EUR'],
  ['^https?://', 'must start with http:// or https://'],
  ['^https://', 'must start with https://'],
  ['^(https://|http://127', 'must start with https://'],
  ['^(?!.*//)/', 'must be a path that starts with a single slash'],
  ['^(/([^/~]', 'must be a JSON pointer such as /data/email'],
  ['^#[0-9a-f', 'must be a color such as #3366ff'],
  ['^[^\\r\\n]+$', 'must not contain line breaks'],
  ['^[a-z][a-z0-9_]*\\.', 'must be an action such as `lead.created`, or its first part such as `lead.`'],
  ['^(\\*|[a-z_]+\\.', 'must be an event type such as `lead.created`, or `lead.*` or `*`'],
  ['^[^\\s@]*@', 'must be an email address, or a domain such as @acme.example'],
  ['^\\d{6}$', 'must be the six digits of the code'],
  ['^[\\w-]{1,100}$', 'must be the complete token from the link'],
  ['^[A-Za-z]{2,3}(-', 'must be a language such as en or de-AT'],
  ['^[a-z0-9.-]{3,253}$', 'must be a domain name such as acme.example'],
  ['^[a-z0-9][a-z0-9_-]', 'must contain only lower-case letters, digits, hyphens and underscores'],
  ['^[a-z0-9_]', identifier],
  ['^[a-z][a-z0-9_]', identifier],
  ['^[a-z_]', identifier],
  ['^-?(0|[1-9]', decimal],
  ['^(0|[1-9]', decimal],
  ['(Q[1-4]|', 'must be a quarter such as 2026-Q1 or a month such as 2026-03'],
  ['\\d\\d-(0[1-9]|1[0-2])$', 'must be a month such as 2026-03'],
  ['[0-5]\\d$', 'must be a time such as 09:00'],
  ['[0-5]\\d|24:00)$', 'must be a time such as 09:00, at most 24:00'],
  ['^(email|name_company', 'must be `email`, `name_company`, `none` or a custom field such as `custom_field:tier`'],
  ['^[A-Za-z0-9_-]{43}$', 'must be the complete token from the link'],
  [
    '^[A-Za-z0-9$][A-Za-z0-9_.:/ -]',
    'must begin with a letter, a digit or $ and contain only letters, digits, spaces and _ . : / -',
  ],
  ['^[A-Za-z][A-Za-z0-9-]*$', 'must be the name of an HTTP header'],
  ['[\\x20-\\x7e]+$', 'must contain only printable ASCII characters'],
  ['^[a-z]{2,3}(-', 'must be a locale such as en or de-AT'],
  ['a-z0-9])?)+$', 'must be a domain name such as acme.example'],
  ['A-Za-z0-9]$', 'must be a domain name such as acme.example'],
  ['^[A-Za-z]+$', 'must contain only letters'],
  ['^[A-Za-z0-9 …#]', 'must contain only letters, digits, spaces, # and …'],
  ['^/[a-z/…-]', 'must be a path of lower-case letters, with … for ids'],
  ['\\.js:', 'must be a file, a line and a column such as main-B1x2.js:4:1290'],
  ['\\S', 'must not be blank'],
]

export const unknownPatternSentence = 'has an invalid format'

export function describePattern({ pattern = '', format = '' }: { pattern?: string; format?: string }): string {
  const known = patternSentences.find(([part]) => pattern.includes(part))?.[1]
  return known ?? formatSentences[format] ?? unknownPatternSentence
}

type Params = Record<string, unknown> & {
  limit: number
  type: string | string[]
  allowedValues: unknown[]
  allowedValue: unknown
}
type KnownSchema = { properties?: object; pattern?: string; format?: string }

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const atLeast = (limit: number, noun: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${plural(limit, noun)}`

const sentences: Record<string, (params: Params, schema: KnownSchema, data: unknown) => string> = {
  required: () => 'is required',
  dependentRequired: ({ property }) => `is required if \`${property}\` is set`,
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => typeNames[name] ?? name)
      .join(' or ')}`,
  enum: ({ allowedValues }, _schema, data) => describeEnum(allowedValues, data),
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) => formatSentences[String(format)] ?? `must match the format ${format}`,
  pattern: (_params, schema) => describePattern(schema),
  minLength: ({ limit }) => atLeast(limit, 'character'),
  maxLength: ({ limit }) => `must have at most ${plural(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minItems: ({ limit }) => atLeast(limit, 'item'),
  maxItems: ({ limit }) => `must have at most ${plural(limit, 'item')}`,
  uniqueItems: () => 'must not contain duplicates',
  minProperties: ({ limit }) => `must have at least ${plural(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${plural(limit, 'field')}`,
  propertyNames: ({ propertyName }) => `must not have a field named \`${shortenText(String(propertyName), 60)}\``,
}

const maxListedValues = 20

function describeEnum(values: unknown[], data: unknown): string {
  const names = values.map(String)
  if (names.length <= maxListedValues) return `must be one of: ${names.join(', ')}`
  const nearest = typeof data === 'string' ? nearestNames(data, names) : []
  return `must be one of the ${names.length} values in the API reference (/reference)${nearest.length ? `. Did you mean ${listAlternatives(nearest)}?` : ''}`
}

export function toInputErrors(where: InputError['in'], errors: readonly ErrorObject[]): InputError[] {
  const nullablePaths = pathsOf(errors, isNullBranch)
  const formatPaths = pathsOf(errors, ({ keyword }) => keyword === 'format')
  const typePaths = pathsOf(errors, (error) => error.keyword === 'type' && !isNullBranch(error))
  return errors
    .filter((error) => error.keyword !== 'anyOf' && !isNullBranch(error))
    .filter(({ keyword, instancePath }) => keyword !== 'pattern' || !formatPaths.has(instancePath))
    .filter(({ keyword, instancePath }) => keyword !== 'enum' || !typePaths.has(instancePath))
    .slice(0, maxReportedErrors)
    .map((error) => toInputError(where, error, nullablePaths.has(error.instancePath)))
}

const pathsOf = (errors: readonly ErrorObject[], matches: (error: ErrorObject) => boolean) =>
  new Set(errors.filter(matches).map(({ instancePath }) => instancePath))

/** A value that matches no branch of "X or null" fails once per branch; the null branch adds no information. */
const isNullBranch = ({ keyword, params }: ErrorObject) => keyword === 'type' && params.type === 'null'

function toInputError(where: InputError['in'], error: ErrorObject, isNullable: boolean): InputError {
  const field = error.params.missingProperty ?? error.params.additionalProperty
  const path = field === undefined ? error.instancePath : `${error.instancePath}/${field}`
  const name = path ? `\`${toFieldName(path)}\`` : `The ${where}`
  const schema = (error.parentSchema ?? {}) as KnownSchema
  const message =
    error.keyword === 'additionalProperties'
      ? describeUnknownField(where, name, error, schema)
      : `${name} ${describeError(error, schema, isNullable)}`
  return { in: where, path, code: error.keyword, message }
}

function describeError(error: ErrorObject, schema: KnownSchema, isNullable: boolean): string {
  const sentence =
    sentences[error.keyword]?.(error.params as Params, schema, error.data) ?? error.message ?? 'is invalid'
  const orNull = isNullable && error.keyword === 'type' ? ' or null' : ''
  return sentence.endsWith('?') ? sentence : `${sentence}${orNull}.`
}

function describeUnknownField(where: InputError['in'], name: string, error: ErrorObject, schema: KnownSchema): string {
  const noun = where === 'query' ? 'query parameter' : 'field'
  const hint = suggestNames(String(error.params.additionalProperty), Object.keys(schema.properties ?? {}))
  return `${name} is not a known ${noun}.${hint}`
}
