import { Type } from 'typebox'
import { named, nullable, strict, Timestamp } from '#platform/schema'
import type { HomePart } from './home-part.ts'

/** The modules declare the schemas of their parts. */
export const toHomeSchema = (parts: readonly HomePart[]) =>
  named(
    'Home',
    strict({
      as_of: Timestamp,
      ...Object.fromEntries(parts.map(({ name, schema }) => [name, nullable(Type.Unsafe<unknown>(schema))])),
    }),
  )
