import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { useNarrow } from '../use-narrow.ts'
import { describeTotal } from './describe-total.ts'
import type { ListSlot } from './list-page.tsx'
import type { List } from './use-list.ts'

const prefetchDelayMs = 300

/** The record that is open beside the list: its row and the ways to the other ones. The next one is loaded in advance. */
export function useOpenRow<Row extends { id: string }, Query extends object>(
  { definition, search, pages, me, close }: List<Row, Query>,
  { openIndex: index, openAt }: Pick<ListSlot<Row>, 'openIndex' | 'openAt'>,
  prefetch: (id: string) => unknown,
) {
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const id = search.open
  const nextId = index >= 0 ? pages.getRow(index + 1)?.id : undefined
  useEffect(() => {
    if (!id || !nextId) return
    const timer = setTimeout(() => prefetch(nextId), prefetchDelayMs)
    return () => clearTimeout(timer)
  }, [id, nextId])
  const hasPosition = index >= 0
  return {
    id,
    row: hasPosition ? pages.getRow(index) : undefined,
    position: hasPosition
      ? listTexts.position(formatNumber(index + 1, me.locale), describeTotal(pages, me.locale))
      : undefined,
    goTo: {
      previous: index > 0 ? () => openAt(index - 1) : undefined,
      next: hasPosition && index + 1 < pages.rowCount ? () => openAt(index + 1) : undefined,
    },
    expand: isNarrow ? undefined : () => void navigate({ to: `${definition.path}/${id}` as '/', search: {} as never }),
    close,
  }
}
