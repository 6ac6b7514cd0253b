import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false })
addFormats.default(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

/** Taken as it is or not at all: nothing is converted, filled in or left out to make it fit. */
export function fits(schema: object, output: unknown): boolean {
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  return check(output) && isStorable(output)
}

/** Zero characters and halves of characters are JSON, and PostgreSQL stores neither. */
const isStorable = (output: unknown): boolean =>
  (JSON.stringify(output).match(/\\(?:\\|u0000|ud[89a-f]..)/g) ?? []).every((found) => found === '\\\\')
