/** The state of the board. It is in the URL, so that reload, Back and a copied link show the same board. */
export type DealSearch = {
  pipeline?: string
  /** `me`, `all` or the id of a user. */
  owner?: string
  q?: string
  closed?: string
  open?: string
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const id = (value: unknown): string | undefined => (typeof value === 'string' && uuid.test(value) ? value : undefined)

const stageKey = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[a-z0-9_]{1,40}$/.test(value) ? value : undefined

/** A text of digits in the URL is read as a number. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) || undefined : undefined

export const parseDealSearch = ({ pipeline, owner, q, closed, open }: Record<string, unknown>): DealSearch => ({
  pipeline: id(pipeline),
  owner: owner === 'me' || owner === 'all' ? owner : id(owner),
  q: text(q),
  closed: stageKey(closed),
  open: id(open),
})
