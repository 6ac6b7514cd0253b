import { useMemo, useRef, useState } from 'react'
import type { Selection } from './grid-model.ts'

type Chosen = {
  name: string
  ids: ReadonlySet<string>
  allMatching: number | null
  /** All rows were selected that were loaded at that time. */
  hasAllLoaded?: boolean
}

const none: ReadonlySet<string> = new Set()

/**
 * The rows that a user selected for a bulk action: single ones, or all that match the filters, also those that are not
 * loaded. Other filters (`name`) clear the selection.
 */
export function useSelection<Row extends { id: string }>({
  name,
  getRow,
  loaded,
}: {
  name: string
  getRow: (index: number) => Row | undefined
  loaded: readonly Row[]
}) {
  const [state, setState] = useState<Chosen>({ name, ids: none, allMatching: null })
  const chosen = state.name === name ? state : { name, ids: none, allMatching: null }
  const rows = useRef({ getRow, loaded })
  rows.current = { getRow, loaded }
  const lastIndex = useRef(0)
  const isAll = loaded.length > 0 && loaded.every(({ id }) => chosen.ids.has(id))

  const actions = useMemo(() => {
    const select = (change: (ids: Set<string>) => void, hasAllLoaded = false) =>
      setState((before) => {
        const ids = new Set(before.name === name ? before.ids : none)
        change(ids)
        return { name, ids, allMatching: null, hasAllLoaded }
      })
    return {
      toggle(index: number) {
        const id = rows.current.getRow(index)?.id
        lastIndex.current = index
        if (id) select((ids) => void (ids.delete(id) || ids.add(id)))
      },
      toggleRange(index: number) {
        const [from, to] = [Math.min(lastIndex.current, index), Math.max(lastIndex.current, index)]
        lastIndex.current = index
        select((ids) => {
          for (let at = from; at <= to; at++) {
            const id = rows.current.getRow(at)?.id
            if (id) ids.add(id)
          }
        })
      },
      selectLoaded: () =>
        select((ids) => {
          for (const { id } of rows.current.loaded) ids.add(id)
        }, true),
      selectMatching: (count: number) => setState((before) => ({ ...before, name, allMatching: count })),
      selectIds: (ids: readonly string[]) => setState({ name, ids: new Set(ids), allMatching: null }),
      clear: () => setState({ name, ids: none, allMatching: null }),
    }
  }, [name])

  const { ids, allMatching, hasAllLoaded = false } = chosen
  const selection = useMemo<Selection>(
    () => ({
      has: (id) => allMatching !== null || ids.has(id),
      toggle: actions.toggle,
      isAll: isAll || allMatching !== null,
      isSome: ids.size > 0,
      toggleAll: () => (isAll ? actions.clear() : actions.selectLoaded()),
    }),
    [ids, allMatching, isAll, actions],
  )
  return {
    ...actions,
    selection,
    ids,
    allMatching,
    hasAllLoaded: hasAllLoaded || isAll,
    count: allMatching ?? ids.size,
  }
}
