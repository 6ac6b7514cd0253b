import type { Page } from './pages.ts'
import { toProblem } from './problem.ts'

type ArrayCall<Row> = Promise<{ data?: Row[]; error?: unknown; response: Response }>

/** Reads a page of a list that is an array: its cursor and total are in headers. */
export async function readArrayPage<Row>(call: ArrayCall<Row>): Promise<Page<Row>> {
  const { data, error, response } = await call
  if (!response.ok) throw await toProblem(response, error)
  const total = response.headers.get('x-total-count')
  return {
    items: data ?? [],
    next_cursor: findNextCursor(response.headers.get('link')),
    total: total === null ? null : Number(total),
    total_relation: response.headers.get('x-total-relation') === 'gte' ? 'gte' : 'eq',
  }
}

/** The cursor of `<https://…?cursor=…>; rel="next"`. */
export function findNextCursor(link: string | null): string | null {
  const url = link
    ?.split(',')
    .map((part) => /<([^<>]+)>\s*;\s*rel="?next"?/.exec(part)?.[1])
    .find((one) => one !== undefined)
  return url ? new URL(url, 'https://workspace.example').searchParams.get('cursor') : null
}
