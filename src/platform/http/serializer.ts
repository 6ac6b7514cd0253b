import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from 'typebox'
import { compileOnce } from './compiled-schemas.ts'
import { once } from './once.ts'

const createSerializerFactory = SerializerSelector()

type Serializer = (value: unknown) => string

const compileSerializer = compileOnce(
  (schema) => createSerializerFactory({}, {})({ schema, method: 'GET', url: '', httpStatus: '200' }) as Serializer,
)

/** Schemas contain everything they need, so the serializer of a schema is the same in every application. */
export const buildSerializer: typeof createSerializerFactory =
  () =>
  ({ schema }) =>
    createSerializer(schema as TSchema)

/** Returns a function that writes a value as a response with this schema would, so without undeclared fields. */
export function createSerializer(schema: TSchema): Serializer {
  const serialize = once(() => compileSerializer(schema))
  return (value) => serialize()(value)
}
