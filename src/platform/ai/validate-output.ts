import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { addFormats, isStorable } from '#platform/schema'

const ajv = new Ajv2020({ coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false })
addFormats(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

export function isValidOutput(schema: object, output: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(output) && isStorable(output)
}
