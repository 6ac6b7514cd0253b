import { shortenText } from './input-errors.ts'

const maxLength = 100

/** Formats a JSON Pointer for messages: `/stages/2/key` is `stages[2].key`. */
export function toFieldName(pointer: string): string {
  const segments = pointer.split('/').slice(1)
  const names = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = names.reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path ? `${path}.${segment}` : segment),
    '',
  )
  return shortenText(name, maxLength)
}
