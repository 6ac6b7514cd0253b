import { queryOptions, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountNameQuery } from '../accounts/account-name.tsx'
import { userQuery } from '../shared-queries.ts'
import { type Catalogue, listReferences, nameKey, type Reference } from './rule/rule-catalogue.ts'
import type { Group } from './rule/rule-tree.ts'

const none: Catalogue = { fields: [], facts: [] }

/** The names of the records in a rule. Users and accounts, which no other response names, are read once each. */
export function useRuleNames(
  tree: Group,
  catalogue: Catalogue | undefined,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const missing = listReferences(tree, catalogue ?? none).filter(
    (reference) => (reference.kind === 'user' || reference.kind === 'account') && !known.has(nameKey(reference)),
  )
  const found = useQueries({ queries: missing.map(nameQuery), combine: (results) => results.map(({ data }) => data) })
  const names = missing.flatMap((reference, at) => (found[at] ? [[nameKey(reference), found[at]] as const] : []))
  const key = JSON.stringify(names)
  return useMemo(() => new Map([...known, ...names]), [known, key])
}

const nameQuery = ({ kind, id }: Reference) =>
  kind === 'user' ? queryOptions({ ...userQuery(id), select: ({ name }) => name, retry: false }) : accountNameQuery(id)
