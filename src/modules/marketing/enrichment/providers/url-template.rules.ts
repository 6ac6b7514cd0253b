import type { LookupInput } from '#modules/crm'

const placeholder = /\{([^{}]*)\}/g
const lookupNames = ['email', 'domain', 'name', 'company', 'title', 'phone', 'country'] as const
const names: readonly string[] = [...lookupNames, 'fields']

export type UrlProblem = 'unknown_placeholder' | 'placeholder_in_host' | 'invalid_url'

/** Host names with a placeholder are rejected: data of a record must not decide where the secret is sent. */
export function findUrlProblem(template: string): UrlProblem | undefined {
  if ([...template.matchAll(placeholder)].some(([, name]) => !names.includes(name!))) return 'unknown_placeholder'
  const [first, second] = ['a', 'b'].map((text) => URL.parse(template.replace(placeholder, text)))
  if (!first || !second) return 'invalid_url'
  const hasFixedHost = first.protocol === second.protocol && first.host === second.host && !first.username
  return hasFixedHost ? undefined : 'placeholder_in_host'
}

export const hostOfTemplate = (template: string): string => URL.parse(sampleUrlOf(template))?.host ?? ''

/** A URL of the template for checks of scheme, host and port. */
export const sampleUrlOf = (template: string): string => template.replace(placeholder, 'a')

/** Returns undefined if the record lacks a value that the URL contains, or has one that would lead to another path. */
export function fillUrlTemplate(template: string, input: LookupInput, fields: readonly string[]): string | undefined {
  const values: Record<string, string | null> = { ...input, fields: fields.join(',') }
  let isComplete = true
  const url = template.replace(placeholder, (_, name: string) => {
    const value = values[name]
    if (!value) isComplete = false
    return encodeURIComponent(value?.toWellFormed() ?? '')
  })
  return isComplete && hasSamePath(template, url) ? url : undefined
}

const dotSegment = /^(\.|%2e){1,2}$/i
const segmentsOf = (url: string): string[] => url.split(/[?#]/, 1)[0]!.split('/')

/** A segment that becomes `.` or `..` would be removed from the URL with the one before it. */
function hasSamePath(template: string, url: string): boolean {
  const filled = segmentsOf(url)
  return segmentsOf(template).every((segment, index) => !segment.includes('{') || !dotSegment.test(filled[index]!))
}

/** Returns the value at a JSON pointer (RFC 6901), or undefined. */
export function readPointer(document: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce<unknown>((value, token) => {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return (value as Record<string, unknown>)[key]
  }, document)
}
