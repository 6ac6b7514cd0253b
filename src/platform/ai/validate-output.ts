import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false })
addFormats.default(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

export function isValidOutput(schema: object, output: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(output) && isStorable(output)
}

/** PostgreSQL cannot store NUL characters or lone surrogates, although both are valid JSON. */
const isStorable = (output: unknown): boolean =>
  (JSON.stringify(output).match(/\\(?:\\|u0000|ud[89a-f]..)/g) ?? []).every((match) => match === '\\\\')
