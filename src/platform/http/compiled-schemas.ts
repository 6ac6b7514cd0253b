import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from 'typebox'
import { quickCompilation } from '#platform/schema'

/** Defers expensive work from the start of the process to the first request that needs it. */
export function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

/** Compiles equal schemas once per process: many routes have the same ones, and compiling is expensive. */
export function compileOnce<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text)
    if (known) return known
    const result = compile(schema)
    compiled.set(text, result)
    return result
  }
}

const createSerializerFactory = SerializerSelector()

type Serializer = (value: unknown) => string

const compileSerializer = compileOnce(
  (schema) =>
    createSerializerFactory(
      {},
      { ajv: quickCompilation },
    )({ schema, method: 'GET', url: '', httpStatus: '200' }) as Serializer,
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
