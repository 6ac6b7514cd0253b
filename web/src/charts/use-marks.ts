import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { chartTexts } from '../texts/en/chart-texts.ts'
import type { ChartLabels } from './chart-frame.tsx'
import { type ChartData, describeMark, type MarkPlace, type OpenMark } from './chart-model.ts'
import { type Direction, moveMark } from './mark-keys.ts'

type MarkOptions = { data: ChartData; direction: Direction; labels: ChartLabels; open?: OpenMark }
type Focusable = HTMLElement | SVGElement

const nameOf = ({ row, series }: MarkPlace): string => `${row}-${series}`

/**
 * The marks of a chart as the options of a list: one of them has the focus, the arrow keys move it, and Enter or a click
 * opens the records behind the value.
 */
export function useMarks({ data, direction, labels, open }: MarkOptions) {
  const hintId = useId()
  const [stored, setActive] = useState<MarkPlace>({ row: 0, series: 0 })
  const elements = useRef(new Map<string, Focusable>())
  const active = stored.row < data.rows.length ? stored : { row: 0, series: 0 }

  const canOpen = ({ row }: MarkPlace) => open !== undefined && !data.rows[row]!.isClosed
  const openAt = ({ row, series }: MarkPlace) => open?.(data.rows[row]!, data.series[series]!)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return canOpen(active) ? openAt(active) : undefined
    }
    const size = { rows: data.rows.length, series: data.series.length }
    const next = moveMark(event.key, active, direction, size)
    if (!next) return
    event.preventDefault()
    setActive(next)
    elements.current.get(nameOf(next))?.focus()
  }

  return {
    hintId,
    hint: open ? chartTexts.keysWithRecords : chartTexts.keys,
    active,
    list: {
      role: 'listbox',
      'aria-orientation': direction === 'across' ? 'horizontal' : 'vertical',
      'aria-labelledby': labels.titleId,
      'aria-describedby': `${labels.findingId} ${hintId}`,
      onKeyDown,
    } as const,
    bindMark: (place: MarkPlace) => ({
      role: 'option' as const,
      'aria-label': describeMark(data, place),
      tabIndex: nameOf(place) === nameOf(active) ? 0 : -1,
      ref: (element: Focusable | null) => {
        if (element) elements.current.set(nameOf(place), element)
        else elements.current.delete(nameOf(place))
      },
      onFocus: () => setActive(place),
      ...(canOpen(place) && { onClick: () => openAt(place), 'data-opens': true }),
    }),
  }
}
