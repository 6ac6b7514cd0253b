/** One problem of a request; `path` is a JSON Pointer into the part named by `in`. */
export type InputError = { in: 'body' | 'query' | 'path' | 'header'; path: string; code: string; message: string }

const maxPathLength = 200
const maxBytes = 32_768

export const maxReportedErrors = 100

/** Limits the size of the response, because errors repeat names that the caller chose. */
export function limitErrors(errors: readonly InputError[]): InputError[] {
  const limited = errors
    .slice(0, maxReportedErrors)
    .map((error) => ({ ...error, path: shortenText(error.path, maxPathLength) }))
  let bytes = 0
  return limited.filter((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(error))
    return index === 0 || bytes <= maxBytes
  })
}

export const shortenText = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text

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
