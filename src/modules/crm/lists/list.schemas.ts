import { Type } from 'typebox'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

export const OwnerFilter = Type.String({
  pattern: `^(me|${uuid})$`,
  maxLength: 36,
  description: 'Id of the owner, or `me` for the caller.',
})

export const RuleFilter = Type.String({
  minLength: 2,
  maxLength: 4_096,
  description: 'Rule as JSON (schema `Rule`), for conditions that the other filters do not cover.',
  examples: ['{"field":"tags","op":"contains_any","value":["vip"]}'],
})

export const idOrNone = (description: string) =>
  Type.String({ pattern: `^(none|${uuid})$`, maxLength: 36, description })

/** Selects between all fields of the records of a list and those of a smaller schema. */
export const fieldSelection = (summarySchema: string) =>
  Type.Enum(['summary', 'full'], {
    default: 'full',
    description: `\`summary\` returns only the fields of \`${summarySchema}\`.`,
  })
