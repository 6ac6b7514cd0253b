import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { Place } from './rule/edit-tree.ts'

type Stop = () => void

export function makeRowDraggable(row: HTMLElement, id: string): Stop {
  const handle = row.querySelector<HTMLElement>('[data-part=handle]')!
  return combine(
    // Not the row itself, because Firefox does not select text inside of what can be dragged.
    draggable({
      element: handle,
      getInitialData: () => ({ rowId: id, row }),
      onGenerateDragPreview: ({ nativeSetDragImage, location }) => {
        const { left, top } = row.getBoundingClientRect()
        const { clientX, clientY } = location.current.input
        nativeSetDragImage?.(row, clientX - left, clientY - top)
      },
      onDragStart: () => row.setAttribute('data-dragged', ''),
      onDrop: () => row.removeAttribute('data-dragged'),
    }),
    dropTargetForElements({
      element: row,
      canDrop: ({ source }) => source.data.row instanceof HTMLElement && !source.data.row.contains(row),
      getData: ({ input }) => ({ row, isAfter: isInLowerHalf(row, input.clientY) }),
      getDropEffect: () => 'move',
    }),
  )
}

const isInLowerHalf = (row: HTMLElement, y: number): boolean => {
  const { top, bottom } = row.getBoundingClientRect()
  return y > (top + bottom) / 2
}

/** Shows where a dragged row would be put, and puts it there. */
export function watchRowDrops(root: HTMLElement, move: (id: string, place: Place) => void): Stop {
  let marked: Element | undefined
  const mark = (row?: Element, edge?: 'before' | 'after') => {
    if (marked !== row) marked?.removeAttribute('data-drop')
    marked = row
    if (edge) row?.setAttribute('data-drop', edge)
  }
  const findTarget = (targets: readonly { data: Record<string | symbol, unknown> }[]) => {
    const { row, isAfter } = targets[0]?.data ?? {}
    return row instanceof HTMLElement && root.contains(row) ? { row, isAfter: isAfter === true } : undefined
  }
  const stop = monitorForElements({
    canMonitor: ({ source }) => root.contains(source.element),
    onDrag({ location }) {
      const target = findTarget(location.current.dropTargets)
      mark(target?.row, target && (target.isAfter ? 'after' : 'before'))
    },
    onDrop({ source, location }) {
      mark()
      const target = findTarget(location.current.dropTargets)
      const list = target?.row.closest('[data-rule-group]')
      if (!target || !list) return
      const at = [...list.children].indexOf(target.row) + (target.isAfter ? 1 : 0)
      move(String(source.data.rowId), { groupId: list.getAttribute('data-rule-group')!, at })
    },
  })
  return () => {
    stop()
    mark()
  }
}
