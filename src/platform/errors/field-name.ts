/** Formats a JSON Pointer for messages: `/stages/2/key` is `stages[2].key`. */
export function toFieldName(pointer: string): string {
  const segments = pointer.split('/').slice(1)
  const names = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : path ? `${path}.${name}` : name), '')
}
