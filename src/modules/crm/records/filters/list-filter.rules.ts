import { invalid } from '#platform/errors'

/** Checks the query parameters `from` and `to`, both with an optional prefix such as `created_`. */
export function assertDateOrder(from: string | undefined, to: string | undefined, prefix = ''): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid('query', `/${prefix}to`, 'order', `\`${prefix}to\` must not be before \`${prefix}from\`.`)
}
