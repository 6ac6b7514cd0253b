import { type Static, Type } from 'typebox'
import { named, strict } from '#platform/schema'

export const NewClientError = named(
  'NewClientError',
  strict({
    kind: Type.Enum(['error', 'rejection', 'component']),
    name: Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z]+$', examples: ['TypeError'] }),
    message: Type.String({
      maxLength: 160,
      pattern: '^[A-Za-z0-9 …#]*$',
      examples: ['Cannot read properties of undefined reading …'],
    }),
    page: Type.String({ minLength: 1, maxLength: 100, pattern: '^/[a-z/…-]*$', examples: ['/leads/…'] }),
    frames: Type.Array(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z0-9_.-]+\\.js:[0-9]{1,6}:[0-9]{1,7}$',
        examples: ['main-B1x2.js:4:1290'],
      }),
      { maxItems: 8 },
    ),
  }),
)
export type NewClientError = Static<typeof NewClientError>
