import { Type } from 'typebox'

export const SubjectTemplate = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\r\\n]+$',
  examples: ['A question about {{ company | your company }}'],
})

export const BodyTemplate = Type.String({
  minLength: 1,
  maxLength: 20_000,
  examples: ['Hello {{ first_name | there }},\n\nwould you have ten minutes this week?'],
})
