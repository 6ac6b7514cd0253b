import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from 'typebox'
import { once } from './once.ts'

const createSerializerFactory = SerializerSelector()

export const buildSerializer: typeof createSerializerFactory = (externalSchemas, options) => {
  const compile = createSerializerFactory(externalSchemas, options)
  return (route) => {
    const serialize = once(() => compile(route))
    return (value) => serialize()(value)
  }
}

/** Returns a function that writes a value as a response with this schema would, so without undeclared fields. */
export const createSerializer = (schema: TSchema): ((value: unknown) => string) =>
  buildSerializer({}, {})({ schema, method: 'GET', url: '', httpStatus: '200' }) as (value: unknown) => string
