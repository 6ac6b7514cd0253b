import { Type } from 'typebox'

export const RuleFilter = Type.String({
  minLength: 2,
  maxLength: 4_096,
  description: 'Rule as JSON (schema `Rule`), for conditions that the other filters do not cover.',
  examples: ['{"field":"tags","op":"contains_any","value":["vip"]}'],
})

/** In the response schema of a list, fields that a summary does not have are optional. */
export const FieldSelection = Type.Enum(['summary', 'full'], {
  default: 'full',
  description: '`summary` returns only the fields that are required in the response.',
})
