import { Type } from 'typebox'
import { nullable } from '#platform/schema'

const languageTag = { pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', maxLength: 35 }

export const Language = Type.String({
  ...languageTag,
  examples: ['en'],
  description: 'BCP 47 language tag.',
})

export type TextMap = Record<string, string>
export type TextInput = string | TextMap

/** A text in the default language, or one text per language. */
export const LocalizedText = (maxLength: number) =>
  Type.Unsafe<TextInput>({
    anyOf: [
      { type: 'string', minLength: 1, maxLength },
      {
        type: 'object',
        maxProperties: 20,
        propertyNames: languageTag,
        additionalProperties: { type: 'string', minLength: 1, maxLength },
      },
    ],
    description: 'A text in the default language, or an object with one text per language.',
    examples: [{ en: 'How likely are you to recommend us?' }],
  })

export const TextMap = Type.Record(Type.String(), Type.String(), { description: 'One text per language.' })

export const clearableText = (maxLength: number) => Type.Optional(nullable(LocalizedText(maxLength)))
