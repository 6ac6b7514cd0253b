import { type Synonyms, suggestNames } from '#platform/errors'
import { isDateTime } from '#platform/schema'

export type SentEvent = {
  index: number
  event_id: string
  name: string
  user_ref: string | null
  account_ref: string | null
  /** Milliseconds as sent, before the clock of the sender is corrected. */
  occurred_at: number
  properties: Record<string, unknown> | null
  user: { email?: string; name?: string } | null
  account: { name?: string; domain?: string } | null
}

export type EventError = { index: number; event_id: string | null; path: string; code: string; message: string }

type Fields = Record<string, unknown>

const fieldNames = ['event_id', 'name', 'user_ref', 'account_ref', 'occurred_at', 'properties', 'user', 'account']
const knownFields = new Set(fieldNames)

/** Names that other products for usage events have. */
const fieldSynonyms: Synonyms = {
  event_id: ['id', 'message_id', 'insert_id', 'uuid'],
  name: ['event', 'event_name', 'event_type', 'type'],
  user_ref: ['user_id', 'distinct_id', 'person_id', 'contact_id'],
  account_ref: ['account_id', 'group_id', 'company_id', 'organization_id', 'workspace_id'],
  occurred_at: ['time', 'timestamp', 'created_at'],
  properties: ['props', 'attributes', 'metadata', 'data'],
}
const namePattern = /^[A-Za-z0-9$][A-Za-z0-9_.:/ -]{0,99}$/
const idPattern = /^[\x20-\x7e]{1,100}$/
const emailPattern = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
const placeholders = new Set(['null', 'none', 'undefined', 'anonymous', 'guest', '0', '-1', '[object object]'])

class EventProblem extends Error {
  readonly path: string
  readonly code: string

  constructor(path: string, code: string, message: string) {
    super(message)
    this.path = path
    this.code = code
  }
}

export const isEmailAddress = (text: string): boolean => text.length <= 254 && emailPattern.test(text)

/** Checks the shape of an event and reports its first problem. Times are checked against the time of receipt later. */
export function parseEvent(event: Fields, index: number): SentEvent | EventError {
  try {
    return readEvent(event, index)
  } catch (error) {
    if (!(error instanceof EventProblem)) throw error
    const { path, code, message } = error
    const event_id = typeof event.event_id === 'string' ? event.event_id.slice(0, 100) : null
    return { index, event_id, path, code, message }
  }
}

export const isEventError = (result: SentEvent | EventError): result is EventError => 'code' in result

function readEvent(event: Fields, index: number): SentEvent {
  for (const key in event) if (!knownFields.has(key)) throw unknownField('', key, fieldNames, fieldSynonyms)
  const { event_id, name, occurred_at } = event
  if (typeof event_id !== 'string' || !idPattern.test(event_id))
    throw new EventProblem('/event_id', 'format', '`event_id` must have 1 to 100 printable ASCII characters.')
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new EventProblem(
      '/name',
      'format',
      '`name` must have 1 to 100 letters, digits, spaces and characters of `_.:/-`, and start with a letter, a digit or `$`.',
    )
  const user_ref = readRef(event.user_ref, '/user_ref')
  const account_ref = readRef(event.account_ref, '/account_ref')
  if (user_ref === null && account_ref === null)
    throw new EventProblem('/user_ref', 'required', '`user_ref` or `account_ref` is required.')
  if (typeof occurred_at !== 'string' || !isDateTime(occurred_at))
    throw new EventProblem(
      '/occurred_at',
      'format',
      '`occurred_at` must be a date and time such as 2026-03-01T09:30:00Z.',
    )
  return {
    index,
    event_id,
    name,
    user_ref,
    account_ref,
    occurred_at: Date.parse(occurred_at),
    properties: readProperties(event.properties),
    user: readTraits(event.user, '/user', user_ref, 'email'),
    account: readTraits(event.account, '/account', account_ref, 'domain'),
  }
}

function unknownField(parent: string, key: string, known: readonly string[], synonyms: Synonyms = {}): EventProblem {
  const name = key.slice(0, 100)
  const message = `\`${name}\` is not a known field.${suggestNames(name, known, synonyms)}`
  return new EventProblem(`${parent}/${name}`, 'unexpected', message)
}

function readRef(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null
  const field = path.slice(1)
  if (typeof value !== 'string' || value.length < 1 || value.length > 200)
    throw new EventProblem(path, 'format', `\`${field}\` must have 1 to 200 characters.`)
  if (value.length <= 15 && placeholders.has(value.toLowerCase()))
    throw new EventProblem(
      path,
      'placeholder_ref',
      `\`${field}\` must identify a person or an account, not be a placeholder.`,
    )
  return value
}

const limits = { keys: 50, keyLength: 64, textLength: 1_024, items: 20, bytes: 8_192 }

function readProperties(value: unknown): Fields | null {
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw new EventProblem('/properties', 'type', '`properties` must be an object.')
  let [keys, characters] = [0, 0]
  for (const key in value) {
    keys++
    if (key.length < 1 || key.length > limits.keyLength)
      throw new EventProblem(
        '/properties',
        'key_length',
        `Names of properties must have 1 to ${limits.keyLength} characters.`,
      )
    const size = sizeOf(value[key])
    if (size === undefined)
      throw new EventProblem(
        `/properties/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        'type',
        'A property must be a string of at most 1,024 characters, a number, a boolean, null or an array of at most 20 of them.',
      )
    characters += key.length + size
  }
  if (keys > limits.keys)
    throw new EventProblem(
      '/properties',
      'max_properties',
      `\`properties\` must not have more than ${limits.keys} entries.`,
    )
  // A character has at most six bytes in JSON, so most properties need no exact count.
  const isSmall = characters * 6 + keys * 6 <= limits.bytes
  if (!isSmall && Buffer.byteLength(JSON.stringify(value)) > limits.bytes)
    throw new EventProblem('/properties', 'too_large', '`properties` must not exceed 8 KiB.')
  return keys ? value : null
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sizeOf(value: unknown): number | undefined {
  if (!Array.isArray(value)) return scalarSizeOf(value)
  if (value.length > limits.items) return undefined
  let total = 2
  for (const item of value) {
    const size = scalarSizeOf(item)
    if (size === undefined) return undefined
    total += size + 1
  }
  return total
}

function scalarSizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return value.length <= limits.textLength ? value.length : undefined
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? 25 : undefined
}

function readTraits(value: unknown, path: string, ref: string | null, key: 'email' | 'domain') {
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw new EventProblem(path, 'type', `\`${path.slice(1)}\` must be an object.`)
  if (ref === null)
    throw new EventProblem(path, 'unexpected', `\`${path.slice(1)}\` must not be set without \`${path.slice(1)}_ref\`.`)
  const traits: Record<string, string> = {}
  for (const field in value) {
    if (field !== 'name' && field !== key) throw unknownField(path, field, ['name', key])
    const trait = value[field]
    if (trait === null || trait === '') continue
    if (typeof trait !== 'string' || !isTrait(field, trait))
      throw new EventProblem(`${path}/${field}`, 'format', traitMessages[field])
    traits[field] = field === 'domain' ? trait.toLowerCase() : trait
  }
  return traits
}

const traitMessages = {
  name: '`name` must have 1 to 200 characters.',
  email: '`email` must be a valid email address.',
  domain: '`domain` must be a domain name such as acme.example.',
}

function isTrait(field: keyof typeof traitMessages, text: string): boolean {
  if (field === 'name') return text.length <= 200
  return field === 'email' ? isEmailAddress(text) : text.length <= 253 && domainPattern.test(text)
}
