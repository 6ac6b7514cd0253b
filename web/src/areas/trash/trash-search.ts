export const kinds = ['lead', 'contact', 'account', 'opportunity'] as const
export type Kind = (typeof kinds)[number]

export type TrashSearch = { kind?: Kind }

export const parseTrashSearch = (search: Record<string, unknown>): TrashSearch => ({
  kind: kinds.find((kind) => kind === search.kind),
})
