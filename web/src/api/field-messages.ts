import { fieldProblemTexts } from '../texts/en/field-problem-texts.ts'
import type { ApiProblem, InputError } from './problem.ts'

/**
 * The message of each field of a request, by its name; the paths of the API are JSON Pointers. Messages have names of
 * fields in backticks until `withLabel` replaces them.
 */
export const messagesByField = ({ errors }: ApiProblem): Record<string, string> =>
  Object.fromEntries(errors.map((error) => [toFieldName(error), describeInputError(error)]))

const toFieldName = ({ path }: InputError): string => path.replace(/^\//, '').replaceAll('/', '.')

function describeInputError({ code, message }: InputError): string {
  const [, limit] = / at (?:least|most) (-?\d+(?:\.\d+)?)(?: characters?)?\.$/.exec(message) ?? []
  return (limit && fieldProblemTexts[code]?.(limit)) || message
}

/** The message with the label of the field in place of the first name; further names become words. */
export function withLabel(message: string, label: string): string {
  const [name] = /`[^`]+`/.exec(message) ?? []
  return withWords(name ? message.replace(name, () => label) : message)
}

/** The message with words in place of names. */
export const withWords = (message: string): string => message.replace(/`([^`]+)`/g, (_, name) => toWords(name))

const toWords = (name: string): string => name.split('.').at(-1)!.replaceAll('_', ' ')
