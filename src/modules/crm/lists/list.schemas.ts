import { Type } from 'typebox'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Whose records are asked for. */
export const OwnerFilter = Type.String({
  pattern: `^(me|${uuid})$`,
  maxLength: 36,
  description: 'A user, or `me` for whoever asks.',
})

export const RuleFilter = Type.String({
  minLength: 2,
  maxLength: 4_096,
  description: 'A rule as JSON, for what the other filters cannot say.',
})

/** A record by its id, or those that have none. */
export const idOrNone = (description: string) =>
  Type.String({ pattern: `^(none|${uuid})$`, maxLength: 36, description })
