import { type InputError, invalid, toFieldName } from '#platform/errors'
import { isStorableText } from '#platform/schema'

type Path = (string | number)[]
const forbiddenCharacters = 'null characters or incomplete surrogate pairs'

/** Trims all strings except passwords, in place. Rejects what PostgreSQL cannot store: some characters, and infinity (1e400). */
export function cleanInput(value: unknown, where: InputError['in'], path: Path = []): unknown {
  if (typeof value === 'string') return cleanText(value, where, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalid(where, toPointer(path), 'range', `${nameOf(where, path)} is too large for a number.`)
  if (Array.isArray(value)) for (const index of value.keys()) cleanMember(value, index, where, path)
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      if (!isStorableText(key)) throw invalidName(where, path)
      cleanMember(value as Record<string, unknown>, key, where, path)
    }
  }
  return value
}

function cleanMember<K extends string | number>(
  container: Record<K, unknown>,
  key: K,
  where: InputError['in'],
  path: Path,
): void {
  path.push(key)
  const cleaned = cleanInput(container[key], where, path)
  if (cleaned !== container[key]) container[key] = cleaned
  path.pop()
}

function cleanText(text: string, where: InputError['in'], path: Path): string {
  if (!isStorableText(text))
    throw invalid(
      where,
      toPointer(path),
      'characters',
      `${nameOf(where, path)} must not contain ${forbiddenCharacters}.`,
    )
  return String(path.at(-1)).endsWith('password') ? text : text.trim()
}

const invalidName = (where: InputError['in'], path: Path) =>
  invalid(
    where,
    toPointer(path),
    'characters',
    `${nameOf(where, path)} must not have a field name with ${forbiddenCharacters}.`,
  )

const toPointer = (path: Path) =>
  path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const nameOf = (where: InputError['in'], path: Path) =>
  path.length ? `\`${toFieldName(toPointer(path))}\`` : `The ${where}`
