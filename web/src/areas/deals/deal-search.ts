/** The state of the board. It is in the URL, so that reload, Back and a copied link show the same board. */
export type DealSearch = {
  pipeline?: string
  /** `me`, `all` or the id of a user. */
  owner?: string
  open?: string
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const id = (value: unknown): string | undefined => (typeof value === 'string' && uuid.test(value) ? value : undefined)

export const parseDealSearch = ({ pipeline, owner, open }: Record<string, unknown>): DealSearch => ({
  pipeline: id(pipeline),
  owner: owner === 'me' || owner === 'all' ? owner : id(owner),
  open: id(open),
})
