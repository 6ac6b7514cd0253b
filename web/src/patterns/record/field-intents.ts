import { type FieldConflict, type Fields, isEqual } from '../../api/merge-fields.ts'

/** The value that a user wants a field to have, until the server has it or the user gives it up. */
export type FieldIntent = {
  value: unknown
  /** The stored value that the user saw, so that a change by another user in between is noticed. */
  base: unknown
  state: 'waiting' | 'failed' | 'rejected' | 'conflict'
  /** A value that was sent. Without a response, the server may have it or not. */
  sent?: { value: unknown }
  theirs?: unknown
  message?: string
}

export type FieldIntents = Readonly<Record<string, FieldIntent>>

/** `seen` has the stored values that the user saw when they began to type. */
export function enterValues(before: FieldIntents, values: Fields, seen: Fields): FieldIntents {
  const intents = { ...before }
  for (const [field, value] of Object.entries(values)) {
    const { base, state, sent, theirs } = continueIntent(before[field], seen[field])
    const isDecided = state === 'conflict' ? isEqual(value, theirs) : !sent && isEqual(value, base)
    if (isDecided) delete intents[field]
    else if (state === 'conflict') intents[field] = { value, base, state, theirs }
    else intents[field] = { value, base, state: 'waiting', sent }
  }
  return intents
}

/** A rejected value was never stored, so that the next one is compared with what the user saw besides it. */
function continueIntent(intent: FieldIntent | undefined, seen: unknown): Omit<FieldIntent, 'value'> {
  if (!intent) return { base: seen, state: 'waiting' }
  if (intent.state === 'rejected' && !isEqual(seen, intent.value)) return { base: seen, state: 'waiting' }
  return intent
}

export const waitingValues = (intents: FieldIntents, fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.flatMap((field) => (intents[field]?.state === 'waiting' ? [[field, intents[field].value]] : [])),
  )

/** Whether the server may have one of the values without this browser knowing it. */
export const isUncertain = (intents: FieldIntents, fields: readonly string[]): boolean =>
  fields.some((field) => intents[field]?.state === 'waiting' && intents[field].sent !== undefined)

/** Compares the waiting values with the stored ones, which must be new if one of the fields is uncertain. */
export function startSending(
  before: FieldIntents,
  fields: readonly string[],
  stored: Fields,
): { intents: FieldIntents; changes: Fields } {
  const intents = { ...before }
  const changes: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(waitingValues(before, fields))) {
    const { base, sent } = before[field]!
    const theirs = stored[field]
    const isOwn = isEqual(theirs, base) || (sent !== undefined && isEqual(theirs, sent.value))
    if (isEqual(value, theirs)) delete intents[field]
    else if (!isOwn) intents[field] = { value, base, state: 'conflict', theirs }
    else {
      intents[field] = { value, base: theirs, state: 'waiting', sent: { value } }
      changes[field] = value
    }
  }
  return { intents, changes }
}

/** A value that the user has entered since is compared with the one that the server now has. */
export function finishSending(before: FieldIntents, sent: Fields, stored: Fields): FieldIntents {
  const intents = { ...before }
  for (const [field, value] of Object.entries(sent)) {
    const intent = intents[field]
    if (!intent) continue
    if (isEqual(intent.value, value)) delete intents[field]
    else intents[field] = { ...intent, base: stored[field], sent: undefined }
  }
  return intents
}

/** Keeps what could not be sent. A value that the user has entered since is sent without a question. */
export function failSending(before: FieldIntents, sent: Fields): FieldIntents {
  const intents = { ...before }
  for (const [field, value] of Object.entries(sent)) {
    const intent = intents[field]
    if (intent?.state === 'waiting' && isEqual(intent.value, value)) intents[field] = { ...intent, state: 'failed' }
  }
  return intents
}

/** `messageOf` has the reason by field; `other` is the reason of a request that is rejected as a whole. */
export function rejectSending(
  before: FieldIntents,
  sent: Fields,
  messageOf: (field: string) => string | undefined,
  other: string,
): FieldIntents {
  const intents = { ...before }
  const isOfField = Object.keys(sent).some(messageOf)
  for (const [field, value] of Object.entries(sent)) {
    const intent = intents[field]
    if (!intent) continue
    const message = messageOf(field) ?? (isOfField ? undefined : other)
    if (!isEqual(intent.value, value)) intents[field] = { ...intent, sent: undefined }
    else if (message) intents[field] = { value, base: intent.base, state: 'rejected', message }
    else intents[field] = { value, base: intent.base, state: 'failed' }
  }
  return intents
}

export const retrySending = (before: FieldIntents): FieldIntents =>
  mapState(before, 'failed', (intent) => ({ ...intent, state: 'waiting' }))

export const keepMine = (before: FieldIntents): FieldIntents =>
  mapState(before, 'conflict', ({ value, theirs }) => ({ value, base: theirs, state: 'waiting' }))

export const dropFields = (before: FieldIntents, fields: readonly string[]): FieldIntents =>
  Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field)))

const mapState = (
  before: FieldIntents,
  state: FieldIntent['state'],
  change: (intent: FieldIntent) => FieldIntent,
): FieldIntents =>
  Object.fromEntries(
    Object.entries(before).map(([field, intent]) => [field, intent.state === state ? change(intent) : intent]),
  )

export const fieldsIn = (intents: FieldIntents, ...states: FieldIntent['state'][]): string[] =>
  Object.keys(intents).filter((field) => states.includes(intents[field]!.state))

export const listConflicts = (intents: FieldIntents): readonly FieldConflict[] =>
  fieldsIn(intents, 'conflict').map((field) => ({
    field,
    mine: intents[field]!.value,
    theirs: intents[field]!.theirs,
  }))
